"""Which names are offered: judges that differ in a number alone are one pattern."""

from ui.llm_as_a_judge.sides import labels


def test_numbered_people_are_one_side():
    judges = ["author_1", "author_2", "expert_1", "expert_2", "expert_10", "gpt-4:pair-v2", "llama 3"]
    assert labels(judges) == ["author_1", "author_2", "expert*", "gpt-4:pair-v2", "llama 3"]
    assert labels(["one"]) == ["one"]
