interface Panel {
  title: string
  unit: string
  /** Queries by the legend of their series. */
  queries: Record<string, string>
  stacked?: boolean
  /** The value at which a dashed line is drawn, because an alert or an objective refers to it. */
  limit?: number
}

export interface Dashboard {
  uid: string
  title: string
  panels: Panel[]
}

const WIDTH = 12
const HEIGHT = 8
const DATASOURCE = { type: 'prometheus', uid: '$datasource' }

const drawLimit = (limit: number): object => ({
  thresholds: {
    mode: 'absolute',
    steps: [
      { color: 'transparent', value: null },
      { color: 'red', value: limit },
    ],
  },
})

const buildPanel = ({ title, unit, queries, stacked = false, limit }: Panel, index: number): object => ({
  id: index + 1,
  title,
  type: 'timeseries',
  datasource: DATASOURCE,
  gridPos: { x: (index % 2) * WIDTH, y: Math.floor(index / 2) * HEIGHT, w: WIDTH, h: HEIGHT },
  fieldConfig: {
    defaults: {
      unit,
      ...(unit !== 'percentunit' && { min: 0 }),
      ...(limit !== undefined && drawLimit(limit)),
      custom: {
        fillOpacity: 10,
        ...(stacked && { stacking: { mode: 'normal' } }),
        ...(limit !== undefined && { thresholdsStyle: { mode: 'dashed' } }),
      },
    },
    overrides: [],
  },
  targets: Object.entries(queries).map(([legendFormat, expr], nth) => ({
    refId: String.fromCharCode(65 + nth),
    expr,
    legendFormat,
  })),
})

/** Returns a dashboard as Grafana imports it. */
export const buildDashboard = ({ uid, title, panels }: Dashboard): string =>
  `${JSON.stringify(
    {
      uid,
      title,
      tags: ['subtext'],
      schemaVersion: 39,
      refresh: '30s',
      time: { from: 'now-6h', to: 'now' },
      templating: { list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }] },
      panels: panels.map(buildPanel),
    },
    null,
    2,
  )}\n`
