#!/usr/bin/env python3
"""An inventory of Ansible: the computers that Muster manages, by group and by operating system.

    ansible-inventory -i muster_inventory.py --graph

Settings in the environment:

    MUSTER_URL                  the address of the service
    MUSTER_CLIENT_ID            a local principal with the roles computer.read and group.read
    MUSTER_CLIENT_SECRET        its secret, or
    MUSTER_CLIENT_SECRET_FILE   a file with it
    MUSTER_INVENTORY_FILTER     which computers, as a query of GET /api/fleet/computers, such as agentStatus=Reporting
    MUSTER_INVENTORY_ADDRESS    "ip" connects to the reported address instead of the name

It needs nothing but Python 3.9 or later and muster.py, which is beside it or in ../python.
"""

import argparse
import collections
import ipaddress
import json
import os
import re
import sys
import urllib.parse

_here = os.path.dirname(os.path.realpath(__file__))
sys.path[1:1] = [os.path.join(_here, "..", "python")]

from muster import Muster  # noqa: E402

# Agents report these. A name that is none would reach ssh as an option or Ansible as a pattern.
_HOST_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,252}", re.ASCII)

_VARIABLES = {
    "muster_id": "id",
    "muster_hostname": "hostname",
    "muster_domain": "domain",
    "muster_operating_system": "operatingSystem",
    "muster_os_version": "osVersion",
    "muster_ip_address": "ipAddress",
    "muster_serial_number": "serialNumber",
    "muster_manufacturer": "manufacturer",
    "muster_model": "model",
    "muster_health": "healthStatus",
    "muster_agent_status": "agentStatus",
    "muster_connected_now": "connectedNow",
    "muster_last_seen_utc": "lastSeenUtc",
    "muster_logged_on_user": "loggedOnUser",
    "muster_issues": "issues",
}

# Names that mean something else to Ansible.
_RESERVED = {"all", "ungrouped", "_meta", "localhost"}


def main():
    parser = argparse.ArgumentParser(description="The computers of Muster as an inventory of Ansible.")
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--list", action="store_true", help="all groups and computers")
    mode.add_argument("--host", help="the variables of one computer")
    arguments = parser.parse_args()
    inventory = build_inventory(*read_fleet())
    shown = inventory if arguments.list else inventory["_meta"]["hostvars"].get(arguments.host, {})
    json.dump(shown, sys.stdout, indent=2, sort_keys=True)
    print()


def read_fleet():
    """The groups and the computers, in few requests whatever their number."""
    muster = Muster(client_secret=_read_secret())
    chosen = os.environ.get("MUSTER_INVENTORY_FILTER")
    query = urllib.parse.parse_qs(chosen, strict_parsing=True) if chosen else {}
    return muster.get("/api/fleet/group-tree"), list(muster.pages("/api/fleet/computers", **{**query, "top": 1000}))


def _read_secret():
    file = os.environ.get("MUSTER_CLIENT_SECRET_FILE")
    if not file:
        return None
    with open(file, encoding="utf-8") as opened:
        return opened.read().strip()


def build_inventory(groups, computers):
    names = _group_names(groups)
    inventory = {names[group["id"]]: {"hosts": [], "children": []} for group in groups}
    for group in groups:
        if group["parentId"] in names:
            inventory[names[group["parentId"]]]["children"].append(names[group["id"]])
    variables = {}
    for host, computer in _with_unique_names(computers):
        variables[host] = _variables_of(computer)
        for group in computer["groups"]:
            if group["groupId"] in names:
                inventory[names[group["groupId"]]]["hosts"].append(host)
        family, system = _system_groups(computer["operatingSystem"])
        inventory.setdefault(family, {"hosts": [], "children": []})
        inventory.setdefault(system, {"hosts": [], "children": []})["hosts"].append(host)
        if system not in inventory[family]["children"] and system != family:
            inventory[family]["children"].append(system)
    return {**inventory, "_meta": {"hostvars": variables}}


def _group_names(groups):
    """The names of the groups and their ancestors, as Ansible allows them: Configuration/Berlin is configuration_berlin."""
    by_id = {group["id"]: group for group in groups}

    def path(group):
        parent = by_id.get(group["parentId"])
        return (path(parent) if parent else []) + [group["name"]]

    names = {group["id"]: _identifier("_".join(path(group))) for group in groups}
    uses = collections.Counter(names.values())
    # Two groups whose names differ only in characters that Ansible does not allow.
    return {id: name if uses[name] == 1 else f"{name}_{id[:8]}" for id, name in names.items()}


def _system_groups(system):
    if not system:
        return "os_unknown", "os_unknown"
    family = "os_windows" if "windows" in system.lower() else "os_linux"
    return family, f"os_{_identifier(system)}"


def _identifier(text):
    name = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    return name if re.match(r"[a-z]", name) and name not in _RESERVED else f"group_{name}"


def _with_unique_names(computers):
    """Pairs of a name that Ansible can connect to and a computer. Equal names get their domain, and else their id."""
    usable = []
    for computer in computers:
        if _HOST_NAME.fullmatch(computer["hostname"]) and computer["hostname"].lower() not in _RESERVED:
            usable.append(computer)
        else:
            print(f"Left out: the name of the computer {computer['id']} is no host name.", file=sys.stderr)

    def full_name(computer):
        domain = computer["domain"] or ""
        return f"{computer['hostname']}.{domain}" if _HOST_NAME.fullmatch(domain) else computer["hostname"]

    short = collections.Counter(computer["hostname"].lower() for computer in usable)
    full = collections.Counter(full_name(computer).lower() for computer in usable)
    for computer in usable:
        if short[computer["hostname"].lower()] == 1:
            yield computer["hostname"], computer
        elif full[full_name(computer).lower()] == 1:
            yield full_name(computer), computer
        else:
            yield f"{computer['hostname']}-{computer['id']}", computer


def _variables_of(computer):
    variables = {name: _as_data(computer[source]) for name, source in _VARIABLES.items()}
    if os.environ.get("MUSTER_INVENTORY_ADDRESS") == "ip" and computer["ipAddress"]:
        # Raises an error for what is no address, which the service does not send.
        variables["ansible_host"] = str(ipaddress.ip_address(computer["ipAddress"]))
    return variables


def _as_data(value):
    """Agents report these values: none of them may become a template that Ansible evaluates on its own machine."""
    if isinstance(value, list):
        return [_as_data(one) for one in value]
    if isinstance(value, str) and re.search(r"{[{%#]", value):
        return {"__ansible_unsafe": value}
    return value


if __name__ == "__main__":
    main()
