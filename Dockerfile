# One image for every role: `intake serve --roles …`. Debian, since argon2, sharp and libsql bring binaries for glibc.
# It is built on the builder's own architecture for each of the others: what is compiled is the same everywhere, only packages differ.
FROM --platform=$BUILDPLATFORM node:22.23.2-bookworm-slim AS build
WORKDIR /app
# What is installed changes seldom and is kept as a layer. `prepare` would compile, but the sources are not here yet; no package
# needs a script of its own to be installed.
COPY package.json package-lock.json ./
COPY client/package.json ./client/
COPY test/containers ./test/containers
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && rm -r dist/.tsbuildinfo dist/browser
# The packages that run, with the binaries that some bring for the architecture of the image; one has those of all, 240 MB.
ARG TARGETARCH
RUN npm ci --omit=dev --ignore-scripts --os=linux --libc=glibc --cpu=$(echo $TARGETARCH | sed s/amd64/x64/) && cd node_modules/onnxruntime-node/bin/napi-v6 && rm -r darwin win32 linux/$(echo $TARGETARCH | sed 's/amd64/arm64/;t;s/arm64/x64/')

FROM node:22.23.2-bookworm-slim
LABEL org.opencontainers.image.title="intake" \
  org.opencontainers.image.description="Takes documents in, reads them, and has people decide where a machine should not" \
  org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY deploy/eventstoredb/user.mjs ./deploy/eventstoredb/
# npm is for building only. /data is for the embedded default alone: mount a volume there.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /opt/yarn-* \
  && chmod 755 dist/cli/intake.js \
  && ln -s /app/dist/cli/intake.js /usr/local/bin/intake \
  && install -d -m 700 -o node -g node /data
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
# By number, so that a platform which refuses root can tell. It writes to /tmp and, on the embedded default, to /data.
USER 1000:1000
EXPOSE 3000 3001
# Whether the process lives, not whether the stores do: a restart would not mend those.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "require('node:http').get({ port: process.env.PORT || 3000, path: '/health/live' }, (answer) => process.exit(answer.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
# No shell and no npm between the system and the process: SIGTERM reaches it, and it ends what is under way before it goes.
ENTRYPOINT ["intake"]
CMD ["serve"]
