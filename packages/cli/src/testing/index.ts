export { type CliOptions, type CliResult, runCli, useFolders } from './run-cli.ts'
