# Build with the compiler and every development dependency; run with neither.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY src ./src
COPY workers ./workers
COPY dashboard ./dashboard
COPY build ./build
COPY docs ./docs
COPY examples ./examples
COPY bench ./bench
COPY test ./test
COPY torture ./torture
RUN npm run -s build && npm prune --omit=dev && npm run --silent sbom > sbom.json && rm -rf node_modules/@btc-vision

FROM node:22-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data FEED=none OVERROUND_IMAGE=1
# By default glibc keeps for each thread what arrays leave behind that have grown, a tenth of the memory of a large table.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=1048576 MALLOC_TRIM_THRESHOLD_=4194304
WORKDIR /app
COPY --from=build /app/package.json /app/sbom.json ./
COPY LICENSE ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist/src ./dist/src
COPY --from=build /app/dist/workers ./dist/workers
COPY --from=build /app/dist/dashboard ./dist/dashboard
COPY --from=build /app/dist/site ./dist/site
COPY --from=build /app/src/rules/catalogue/data ./src/rules/catalogue/data
# The kernel ignores a SIGKILL from within the container to its first process, which would have to be killed if a thread
# prevents its end.
RUN apt-get update && apt-get install -y --no-install-recommends tini && rm -rf /var/lib/apt/lists/* \
  && mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The program itself handles SIGTERM: it drains, flushes and exits with 0.
ENTRYPOINT ["tini", "--", "node", "dist/src/main.js"]
CMD ["serve"]
