"""Do compose.yaml and the proxy's settings name the same processes, and the same limits as the app?"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NGINX = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
COMPOSE = (ROOT / "compose.yaml").read_text(encoding="utf-8")
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
PROCESSES = re.findall(r"^  (\w+): \*app$", COMPOSE, re.MULTILINE)


def test_every_process_is_behind_the_proxy_which_waits_for_it() -> None:
    assert len(PROCESSES) == 5
    assert set(re.findall(r"server (\w+):8501", NGINX)) == set(PROCESSES)
    assert re.findall(r"^      (\w+): \{ condition: service_healthy \}", COMPOSE, re.MULTILINE) == PROCESSES


def test_each_visitor_can_be_sent_to_each_process_and_stays_there() -> None:
    drawn = re.findall(r"^        (?:\d+%|\*) (\w+);", NGINX, re.MULTILINE)
    upstreams = dict(re.findall(r"upstream (p\d) \{ server (\w+):8501;", NGINX))
    assert drawn == list(upstreams)
    assert [*upstreams.values(), "class"] == PROCESSES
    (known,) = re.findall(r"~\^p\[1-(\d)\]\$ \$cookie_tiekit_process", NGINX)
    assert int(known) == len(upstreams)
    assert "tiekit_process=$process;" in NGINX


def test_uploads_are_as_large_as_the_app_takes() -> None:
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert f"client_max_body_size {settings['server']['maxUploadSize'] + 1}m;" in NGINX


def test_the_app_believes_the_proxy_alone_where_a_visitor_comes_from() -> None:
    (proxy,) = re.findall(r"ipv4_address: ([\d.]+)", COMPOSE)
    assert f"FORWARDED_ALLOW_IPS: {proxy} " in COMPOSE
    for header in ("X-Forwarded-For $remote_addr;", "X-Forwarded-Host $http_host;"):
        assert f"proxy_set_header {header}" in NGINX


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", None),
        ("::ffff:192.0.2.1", "$remote_addr"),
        ("2001:db8:1:2:3::4", "2001:db8:1:"),
        ("2001:db8:1:2::4", "2001:db8:1:"),
        ("2001:db8:1::4", "2001:db8:1:"),
        ("2001:db8:1:ab:3::4", "2001:db8:1:"),
        ("2001:db8:1:abc:3::4", "2001:db8:1:a"),
        ("2001:db8:1:abcd:3::4", "2001:db8:1:ab"),
        ("2001:db8::4", "2001:db8::"),
        ("2001:db8::1:2:3:4", "2001:db8::"),
    ],
)
def test_the_proxy_takes_a_network_of_ipv6_for_one_visitor(address: str, network: str | None) -> None:
    (kept,) = re.findall(r"map \$remote_addr \$network \{(.*?)\n    \}", NGINX, re.DOTALL)
    rules = re.findall(r"~(\S+) (\S+);", kept)
    found = ((re.match(rule.replace("?<", "?P<"), address), value) for rule, value in rules)
    named = next(((match, value) for match, value in found if match), None)
    assert (named and named[0].groupdict().get(named[1][1:], named[1])) == network
    assert NGINX.count("_zone $network zone=") == 2


@pytest.mark.parametrize(
    "bound", ["read_only: true", "mem_limit: ", "pids_limit: ", "cap_drop: [ALL]", "tmpfs: [/tmp]"]
)
def test_containers_are_bounded_and_write_nothing(bound) -> None:
    app, _, proxy = COMPOSE.partition("proxy:")
    assert bound in app
    assert bound in proxy


def test_the_proxy_writes_to_memory_alone_and_holds_no_upload_and_no_answer_there() -> None:
    places = re.findall(r"^ *(pid|\w+_temp_path) (\S+);", NGINX, re.MULTILINE)
    assert [name for name, _ in places] == ["pid", *(f"{one}_temp_path" for one in TEMPORARY)]
    assert all(place.startswith("/tmp/") for _, place in places)
    assert "    proxy_request_buffering off;" in NGINX
    assert "    proxy_max_temp_file_size 0;" in NGINX
