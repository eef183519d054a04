"""Writes the computers with nearly full drives as comma-separated values.

Set MUSTER_URL, MUSTER_CLIENT_ID and MUSTER_CLIENT_SECRET. The principal needs the role computer.read.
"""

import csv
import sys

from muster import Muster, MusterProblem


def main():
    muster = Muster()
    writer = csv.writer(sys.stdout)
    writer.writerow(["computer", "domain", "last seen", "detail"])
    try:
        for computer in muster.pages("/api/fleet/issues/low-disk/computers", top=500):
            writer.writerow([computer["hostname"], computer["domain"], computer["lastSeenUtc"], computer["detail"]])
    except MusterProblem as problem:
        sys.exit(f"The report failed: {problem}")


if __name__ == "__main__":
    main()
