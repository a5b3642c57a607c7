// For Prisma's own commands, such as `npx prisma studio`. Nothing of Subtext reads it.
export default {
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  ...(process.env.DATABASE_URL && { datasource: { url: process.env.DATABASE_URL } }),
}
