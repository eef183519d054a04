import { closed, enumOf, Instant, Int32, Type } from '../../../platform/schema.ts'
import { historyMetrics } from '../history-samples.ts'
import { historyResolutions } from '../record-history.ts'

const HistorySeries = closed(
  {
    name: Type.String({ examples: ['Reporting'], description: 'What is counted, for example an operating system' }),
    values: Type.Array({ ...Int32, minimum: 0, examples: [17] }, { description: 'One value for each time' }),
  },
  { title: 'HistorySeries' },
)

export const FleetHistory = closed(
  {
    metric: enumOf(historyMetrics, { title: 'HistoryMetric' }),
    resolution: enumOf(historyResolutions, { title: 'HistoryResolution' }),
    timesUtc: Type.Array(Instant, { description: 'The beginning of each hour or day with a sample, in order' }),
    series: Type.Array(HistorySeries, { description: 'The largest first, at most 50' }),
  },
  { title: 'FleetHistory' },
)
