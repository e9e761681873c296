"""What is in the image, as SPDX 2.3: Debian's packages and Python's.  Run inside it, by its own Python."""

import json
import platform
import sys
from importlib.metadata import distributions
from pathlib import Path


def debian() -> list[tuple[str, str, str]]:
    found = []
    for block in Path("/var/lib/dpkg/status").read_text().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line and not line.startswith(" "))
        if fields.get("Status", "").endswith(" installed"):
            name, version = fields["Package"], fields["Version"]
            found.append((name, version, f"pkg:deb/debian/{name}@{version}?arch={fields['Architecture']}"))
    return found


def python() -> list[tuple[str, str, str]]:
    installed = distributions(path=["/opt/belljar"])
    return [(one.name, one.version, f"pkg:pypi/{one.name.lower()}@{one.version}") for one in installed]


def described(number: int, name: str, version: str, address: str) -> dict[str, object]:
    reference = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": address}
    return {
        "SPDXID": f"SPDXRef-{number}",
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "externalRefs": [reference],
    }


packages = [described(number, *one) for number, one in enumerate(sorted({*debian(), *python()}), 1)]
bill = {
    "spdxVersion": "SPDX-2.3",
    "dataLicense": "CC0-1.0",
    "SPDXID": "SPDXRef-DOCUMENT",
    "name": f"belljar-{platform.machine()}",
    "documentNamespace": "urn:belljar:image",
    "creationInfo": {"created": "1970-01-01T00:00:00Z", "creators": ["Tool: belljar-bill"]},
    "packages": packages,
    "relationships": [
        {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": one["SPDXID"]}
        for one in packages
    ],
}
json.dump(bill, sys.stdout, indent=1)
