"""The chart and the Pods, held against the schemas of Kubernetes' releases and against what is really asked for."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from belljar.plane.boxes.launchers.base import BoxSpec
from belljar.plane.boxes.launchers.kubernetes.opening import pod_settings
from belljar.plane.boxes.launchers.kubernetes.pods import PodSettings, pod_of, secret_of
from belljar.plane.settings import PlaneSettings
from scripts.make_manifests import CHART, MANIFESTS, ROOT, render

RELEASES = [f"1.{minor}" for minor in range(29, 38)]
KEY = b"the box's key, of thirty-two byte"
POLICY = "upstream session http://me:pass-word@127.0.0.1:9\nallow * via session"
SPEC = BoxSpec(
    "b-1",
    KEY,
    60.0,
    ("--jail", "require", "--max-memory", "4096M", "--max-cpus", "1.5", "--allow", "a$(POD_IP)b"),
    egress=POLICY,
)
# Everything that can be said of Pods at once.
FULL = PlaneSettings(
    launcher="kubernetes",
    kubernetes_pull_secrets=("registry",),
    kubernetes_service_account="belljar-box",
    kubernetes_runtime_class="gvisor",
    kubernetes_priority_class="sessions",
    kubernetes_node_selector=("pool=browsers",),
    kubernetes_tolerations=("browsers", "dedicated=belljar:NoSchedule"),
    kubernetes_volume="belljar-state",
)


def documents(text: str) -> list[dict[str, Any]]:
    return [one for one in yaml.safe_load_all(text) if one]


def found(text: str, kind: str, name: str = "") -> dict[str, Any]:
    (one,) = [one for one in documents(text) if one["kind"] == kind and one["metadata"]["name"].endswith(name)]
    return one


@pytest.mark.parametrize("release", RELEASES)
def test_pods_and_the_chart_are_what_each_release_takes(release: str) -> None:
    made = [pod_of(SPEC, "m", PodSettings("i")), pod_of(SPEC, "m", pod_settings(FULL)), secret_of(SPEC, "m")]
    for kind in ("pods", "hosts"):
        made += documents((MANIFESTS / f"{kind}.yaml").read_text())
    for one in made:
        kubernetes_validate.validate(one, release, strict=True)


def test_so_it_is_with_every_value_set() -> None:
    values = (
        "ingress.enabled=true",
        "ingress.tlsSecretName=tls",
        "ingress.className=nginx",
        "runtimeClass.handler=runsc",
    )
    boxes = ("boxes.namespace=boxes", "boxes.runtimeClassName=gvisor", "boxes.userNamespaces=false")
    more = ("boxes.appArmorProfile=belljar", "boxes.tolerations={a=b:NoSchedule}", "boxes.nodeSelector.pool=x")
    others = ("image.pullSecrets={registry}", "volume.enabled=false", "publicUrl=https://x", "extraArgs={--ttl=60}")
    store = ("artifacts.url=s3://bucket/left", "artifacts.endpoint=https://x", "artifacts.secretName=store")
    for kind in ("pods", "hosts"):
        text = render(kind, *values, *boxes, *more, *others, *store)
        assert "--artifacts=s3://bucket/left" in text and "{name: store, key: AWS_SECRET_ACCESS_KEY}" in text
        for one in documents(text):
            kubernetes_validate.validate(one, "1.33", strict=True)
        assert found(text, "Ingress")["spec"]["rules"][0]["http"]["paths"][0]["path"] == "/"
        assert found(text, "RuntimeClass")["handler"] == "runsc"


def test_the_manifests_are_fresh() -> None:
    subprocess.run([sys.executable, str(ROOT / "scripts/make_manifests.py"), "--check"], check=True, timeout=120)


@pytest.mark.parametrize(
    "value",
    [
        "mode=both",
        "replicas=0",
        "unheard=1",
        "boxes.unheard=1",
        "volume.size=much",
        "image.pullPolicy=Sometimes",
        "artifacts.url=/x",
    ],
)
def test_values_that_mean_nothing_are_refused(value: str) -> None:
    with pytest.raises(SystemExit, match="helm refuses"):
        render("pods", value)


def test_control_planes_take_the_flags_that_the_chart_gives_them(tmp_path: Path) -> None:
    """As `belljar serve` reads them, to where it looks for a cluster or a database."""
    for kind, owner in (("pods", "Deployment"), ("hosts", "StatefulSet")):
        pod = found(render(kind, "boxes.userNamespaces=false", "artifacts.url=s3://bucket/left"), owner)["spec"][
            "template"
        ]["spec"]
        words = [word.replace("$(POD_NAME)", "p-0") for word in pod["containers"][0]["args"]]
        words += [f"--state-dir={tmp_path}", "--port=0", "--host=127.0.0.1", f"--master-key-file={tmp_path}/key"]
        words += ["--kubeconfig", str(tmp_path / "none"), "--database-url", "postgresql://nobody@127.0.0.1:9/none"]
        run = subprocess.run(
            [sys.executable, "-m", "belljar", *words, "--jail", "off"], capture_output=True, text=True, timeout=60
        )
        expected = "no way to a cluster" if kind == "pods" else "database"
        assert run.returncode != 0 and expected in run.stderr and "Usage" not in run.stderr, run.stderr


def test_a_pod_may_do_nothing_that_a_box_does_not_need() -> None:
    pod: Any = pod_of(SPEC, "m", PodSettings("i"))
    about = pod["spec"]
    (box,) = about["containers"]
    assert about["restartPolicy"] == "Never" and about["hostUsers"] is False
    assert about["automountServiceAccountToken"] is False and about["enableServiceLinks"] is False
    assert about["securityContext"]["runAsNonRoot"] and about["securityContext"]["runAsUser"] == 1000
    assert about["securityContext"]["seccompProfile"] == {"type": "Localhost", "localhostProfile": "belljar.json"}
    security = box["securityContext"]
    assert security == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
        "procMount": "Unmasked",
    }
    assert box["resources"]["limits"] == {"memory": str((4096 + 512) << 20), "cpu": "1500m"}
    assert all("sizeLimit" in volume["emptyDir"] for volume in about["volumes"] if "emptyDir" in volume)
    assert not any("hostPath" in volume for volume in about["volumes"])
    # What looks like a variable in a flag of ours is not one.
    assert "a$$(POD_IP)b" in box["args"]


def test_without_user_namespaces_no_cluster_is_asked_for_what_it_would_refuse() -> None:
    pod: Any = pod_of(SPEC, "m", PodSettings("i", user_namespace=False))
    assert "hostUsers" not in pod["spec"] and "procMount" not in pod["spec"]["containers"][0]["securityContext"]


def test_no_secret_is_in_a_pod() -> None:
    shown = json.dumps(pod_of(SPEC, "m", pod_settings(FULL)))
    for secret in (KEY.hex(), KEY.decode(), "pass-word"):
        assert secret not in shown
    assert set(secret_of(SPEC, "m")["data"]) == {"key", "egress-policy"}  # type: ignore[call-overload]


def test_of_a_shared_volume_a_box_sees_its_own_folder() -> None:
    pod: Any = pod_of(SPEC, "m", pod_settings(FULL))
    mounts = [one for one in pod["spec"]["containers"][0]["volumeMounts"] if one["name"] == "state"]
    assert [one["subPath"] for one in mounts] == ["boxes/b-1/log", "boxes/b-1/state"]


def test_only_control_planes_reach_boxes_and_boxes_reach_no_private_network() -> None:
    policy = found((MANIFESTS / "pods.yaml").read_text(), "NetworkPolicy", "-boxes")["spec"]
    pod: Any = pod_of(SPEC, "m", PodSettings("i"))
    assert policy["podSelector"]["matchLabels"].items() <= pod["metadata"]["labels"].items()
    assert set(policy["policyTypes"]) == {"Ingress", "Egress"}
    (ingress,) = policy["ingress"]
    (source,) = ingress["from"]
    plane = found((MANIFESTS / "pods.yaml").read_text(), "Deployment")["spec"]["template"]["metadata"]["labels"]
    assert source["podSelector"]["matchLabels"].items() <= plane.items()
    denied = policy["egress"][1]["to"][0]["ipBlock"]["except"]
    assert {"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"} <= set(denied)


def test_the_chart_is_of_this_release() -> None:
    from belljar import __version__

    about = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert about["appVersion"] == about["version"] == __version__
