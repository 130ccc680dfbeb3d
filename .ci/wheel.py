"""What of the folder `data` is in the wheel: all but the texts of sets that have a form which is loaded faster."""

from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TRIED = "wmt22/metric-scores/zh-en/chrF-refA.seg.score.gz"
"""A file to try readers on, see `tk.examples`."""


class Data(BuildHookInterface):
    """Names every file of the folder by itself."""

    def initialize(self, version, build_data):
        """Give each file its place in the wheel; an editable installation reads the clone."""
        if version == "editable":
            return
        data = Path(self.root) / "data"
        packed = {path.parent.name for path in data.glob("*/*.npz")}
        for path in sorted(data.rglob("*")):
            name = path.relative_to(data).as_posix()
            is_text = path.suffix == ".gz" and path.relative_to(data).parts[0] in packed and name != TRIED
            if path.is_file() and not is_text and "__pycache__" not in name:
                build_data["force_include"][str(path)] = f"tiekit/data/{name}"
