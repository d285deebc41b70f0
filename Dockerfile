# Build with the compiler and every development dependency; run with neither.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY src ./src
COPY workers ./workers
COPY dashboard ./dashboard
COPY build ./build
COPY examples ./examples
COPY bench ./bench
COPY test ./test
RUN npm run -s build && npm prune --omit=dev

FROM node:22-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data FEED=none
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist/src ./dist/src
COPY --from=build /app/dist/workers ./dist/workers
COPY --from=build /app/dist/dashboard ./dist/dashboard
COPY --from=build /app/dashboard/*.html /app/dashboard/*.css ./dashboard/
COPY --from=build /app/src/catalogue/data ./src/catalogue/data
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
# The process itself hears SIGTERM: it drains, flushes and exits 0.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/src/main.js"]
CMD ["serve"]
