"""How Alembic reaches our schema: over the connection that the control plane, or the test, opened."""

from alembic import context

from belljar.plane.registry.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
