import type { Cell } from './cell.ts'

/** The row of docs/faults.md about a fault. */
export function describeCell(cell: Cell): string {
  const cells = [cell.name, cell.begins, cell.ends, describeOthers(cell), describeReadiness(cell)]
  return `| ${cells.join(' | ')} |`
}

function describeOthers({ takesDatabase, mayRefuseOthers, mayDropConnections }: Cell): string {
  if (takesDatabase) return mayDropConnections ? '503, or a lost connection' : '503'
  const p99 = 'p99 below 1 s'
  if (mayDropConnections) return `${p99}, no 503; some lose their connection`
  return mayRefuseOthers ? p99 : `${p99}, no 503`
}

function describeReadiness({ ready }: Cell): string {
  return ready === 'either' ? 'any' : ready.replace('turns ', '').replace('stays ', '')
}
