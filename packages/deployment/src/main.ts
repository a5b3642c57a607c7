import { compareSettings } from './scaling/compare.ts'
import { reportSubscriptions } from './subscriptions/report.ts'

const [part = 'scaling'] = process.argv.slice(2)
if (part === 'subscriptions') process.stdout.write(`${await reportSubscriptions()}\n`)
else if (part === 'scaling') {
  for (const [deployment, table] of Object.entries(compareSettings())) {
    process.stdout.write(`${deployment}\n\n${table}\n`)
  }
} else throw new Error(`There is no simulation "${part}", only scaling and subscriptions.`)
