# PostgreSQL on the same Debian as the image of boxes.  `deploy/image/build` prepares the folder it is built from.
ARG BASE
FROM ${BASE}
LABEL org.opencontainers.image.title="belljar-postgres"
COPY postgres /usr/local/bin/belljar-postgres
RUN chmod 755 /usr/local/bin/belljar-postgres && rm -rf /var/lib/postgresql/* \
 && install -d -o postgres -g postgres -m 700 /var/lib/postgresql/data
USER postgres
ENV PGHOST=/tmp
VOLUME /var/lib/postgresql/data
EXPOSE 5432
STOPSIGNAL SIGINT
ENTRYPOINT ["/usr/local/bin/belljar-postgres"]
