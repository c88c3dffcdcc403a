# One build, two images: `--target gateway` (every role of it: api, drain, all) and `--target sheets-mock`.
# No key, password or account file is part of either: they come by the environment, or by a file mounted at run time.

FROM node:20.20.2-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY tools tools
COPY apps apps
COPY libs libs
RUN npm run build && npm prune --omit=dev

FROM node:20.20.2-bookworm-slim AS runtime
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY deploy/healthcheck.mjs deploy/healthcheck.mjs
# The files stay root's: a process that was taken over cannot change the code that it runs.
USER node

FROM runtime AS sheets-mock
USER root
RUN install -d -o node -g node /data
USER node
ENV MOCK_DATA_DIR=/data
VOLUME /data
EXPOSE 4100
CMD ["node", "dist/apps/sheets-mock/src/main.js"]

# Last, so that a build that names no target makes the gateway.
FROM runtime AS gateway
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s --retries=5 \
  CMD ["node", "deploy/healthcheck.mjs", "http://127.0.0.1:3000/health/ready"]
CMD ["node", "dist/apps/gateway/src/main.js"]
