import { spawnSync } from 'node:child_process'
import { createApiMetrics } from '@subtext/api/metrics'
import { createMetrics } from '@subtext/runtime'
import { createWorkerMetrics } from '@subtext/worker/metrics'
import { listMetrics } from './catalogue.ts'
import { findPromtool } from './promtool.ts'

const metrics = listMetrics()
const promtool = findPromtool()

test('every metric has a name, a unit and a description by the conventions of Prometheus', () => {
  expect(metrics.length).toBeGreaterThan(40)
  for (const { name, type, help, labels } of metrics) {
    expect([name, name]).toEqual([name, expect.stringMatching(/^subtext_[a-z]+(?:_[a-z]+)*$/)])
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter'])
    if (type === 'histogram') expect(name).toMatch(/_seconds$/)
    expect([name, help]).toEqual([name, expect.stringMatching(/^\S.*[.]$/)])
    for (const label of Object.keys(labels)) expect(label).toMatch(/^[a-z]+$/)
  }
})

test('no label is one whose values callers choose', () => {
  const labels = new Set(metrics.flatMap((metric) => Object.keys(metric.labels)))
  expect([...labels].filter((label) => /id|key|user|account|url|host|video|address|email/.test(label))).toEqual([])
})

const testWithPromtool = promtool ? test : test.skip
testWithPromtool(`promtool has no objection to the metrics${promtool ? '' : ' (needs promtool)'}`, async () => {
  const registry = createMetrics()
  createWorkerMetrics(registry)
  const other = createMetrics()
  createApiMetrics(other)
  for (const input of [await registry.render(), await other.render()]) {
    const { stdout, stderr, status } = spawnSync(promtool ?? '', ['check', 'metrics'], { input, encoding: 'utf8' })
    expect([status, stdout, stderr]).toEqual([0, '', ''])
  }
})
