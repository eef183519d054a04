import type pg from 'pg'
import type { ConnectedDatabase } from '../../../src/database/connect.ts'

type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Rows Removed by Join Filter'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

export type RecordedPlan = {
  statement: string
  /** The rows that were read of the table of which the statement has read the largest number. */
  rowsRead: number
  /** The rows that the busiest node of the plan has looked at, whether of a table or of a part of the statement. */
  rowsOfNode: number
  /** The pages of the database that the statement has used. */
  pages: number
  /** The nodes of the plan that read tables, for the message of a failed test. */
  scans: string[]
}

/** Makes the server send the plan of every statement, with what it has read, on the connection that has run it. */
const recording = `
  load 'auto_explain';
  set auto_explain.log_min_duration = 0;
  set auto_explain.log_analyze = on;
  set auto_explain.log_buffers = on;
  set auto_explain.log_timing = off;
  set auto_explain.log_nested_statements = on;
  set auto_explain.log_format = 'json';
  set auto_explain.log_level = 'notice'`

/** Records the plans of the statements that the service runs. Call it before the lanes have connections. */
export function recordPlans({ lanes }: Pick<ConnectedDatabase, 'lanes'>): { take(): RecordedPlan[] } {
  let plans: RecordedPlan[] = []
  for (const { pool } of Object.values(lanes))
    pool.on('connect', (client: pg.PoolClient) => {
      client.on('notice', ({ message }) => {
        const [, json] = /^duration: [\s\S]*? plan:\n([\s\S]*)$/.exec(message ?? '') ?? []
        if (json) plans.push(toRecordedPlan(JSON.parse(json)))
      })
      void client.query(recording)
    })
  return {
    take() {
      const taken = plans
      plans = []
      return taken
    },
  }
}

function toRecordedPlan(document: { 'Query Text': string; Plan: PlanNode }): RecordedPlan {
  const { 'Query Text': text, Plan } = document
  const scans = listNodes(Plan).filter((node) => node['Relation Name'] && node['Node Type'] !== 'ModifyTable')
  const byTable = Map.groupBy(scans, (node) => node['Relation Name'])
  const sums = [...byTable.values()].map((nodes) => nodes.reduce((sum, node) => sum + rowsReadBy(node), 0))
  return {
    statement: text.replaceAll(/\s+/g, ' ').trim(),
    rowsRead: Math.max(0, ...sums),
    rowsOfNode: Math.max(...listNodes(Plan).map(rowsReadBy)),
    pages: Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'],
    scans: scans.map(describeScan),
  }
}

function describeScan(node: PlanNode): string {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index = '' } = node
  return `${type} on ${table} ${index}: ${rowsReadBy(node)} rows, ${node['Shared Hit Blocks'] + node['Shared Read Blocks']} pages`
}

const listNodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(listNodes)]

/** Counts of a node are averages over its loops. */
function rowsReadBy(node: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return (node['Actual Rows'] + removed) * node['Actual Loops']
}
