"""A load run asks the proxy that is deployed, before as many processes as it wants."""

import re

import pytest

from benchmarks import processes


@pytest.mark.parametrize("ports", [[7001, 7002], [7001, 7002, 7003, 7004]])
def test_every_process_is_behind_the_deployed_proxy(ports, tmp_path):
    found = processes.settings(ports, 7100, 7101, tmp_path)
    drawn = [int(port) for port in re.findall(r"upstream p\d \{ server 127.0.0.1:(\d+);", found)]
    assert drawn == ports * (4 // len(ports))
    assert "8501" not in found
    assert re.findall(r"listen ([\d.:]+);", found) == ["127.0.0.1:7100", "127.0.0.1:7101"]
    assert str(tmp_path) in found


def test_several_processes_need_nginx(monkeypatch, tmp_path):
    monkeypatch.setattr(processes, "PROGRAM", None)
    with pytest.raises(FileNotFoundError, match="nginx"), processes._proxy([], tmp_path):
        pass
