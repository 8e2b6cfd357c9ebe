FROM node:24-bookworm-slim AS build
WORKDIR /atoll
COPY package.json package-lock.json prisma.config.ts ./
COPY prisma prisma
COPY schema schema
COPY tools tools
# The packages' own install scripts only prepare the embedded PostgreSQL, which is not used here.
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY src src
COPY web web
COPY packages packages
COPY docs docs
RUN npm run generate && npm run build

FROM node:24-bookworm-slim AS packages
WORKDIR /atoll
COPY package.json package-lock.json ./
# Optional packages are left out: the embedded PostgreSQL and Prisma's command line.
RUN npm ci --omit=dev --omit=optional --ignore-scripts

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000
WORKDIR /atoll
COPY --from=packages /atoll/node_modules node_modules
COPY --from=build /atoll/dist dist
COPY package.json ./
COPY schema schema
COPY migrations migrations
COPY assets assets
COPY docs docs
USER node
EXPOSE 4000
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node is started directly, because npm would not pass the stop signal on.
CMD ["node", "--max-semi-space-size=64", "--enable-source-maps", "dist/main.js"]
