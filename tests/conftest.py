"""Settings shared by all tests."""

from hypothesis import HealthCheck, settings

# The same tables in every run and on every machine, and no time limit that a busy machine breaks.
# To hunt with new tables instead: pytest --hypothesis-profile=hunt
settings.register_profile(
    "repeatable",
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile(
    "hunt",
    settings.get_profile("repeatable"),
    derandomize=False,
    max_examples=300,
)
settings.load_profile("repeatable")
