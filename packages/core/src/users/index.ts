export { findPasswordHash, findUserByEmail, setUserOperator, setUserPlan, upsertUser } from './users-sql.ts'
