from belljar.box.process.program import clean_environment


def test_secrets_of_the_server_stay_behind() -> None:
    base = clean_environment(
        {"PATH": "/opt/bin", "TZ": "UTC", "LC_TIME": "C", "BELLJAR_TOKEN": "secret", "AWS_SECRET_ACCESS_KEY": "secret"}
    )
    assert "secret" not in base.values()
    assert (base["PATH"], base["TZ"], base["LC_TIME"]) == ("/opt/bin", "UTC", "C")


def test_an_empty_environment_still_gives_what_programs_need() -> None:
    assert {"PATH", "HOME", "LANG"} <= clean_environment({}).keys()
