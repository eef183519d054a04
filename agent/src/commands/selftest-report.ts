import type { AnswerState } from '../platform/reports.ts'

export type Finding = {
  /** What was looked at. */
  name: string
  state: AnswerState
  /** The question in the words of the source so that a person can repeat it. */
  asked?: string
  came: string
  notes?: string[]
}

const marks: Record<AnswerState, string> = { ok: 'ok', unknown: 'unknown', failed: 'FAILED' }
const indent = ' '.repeat(11)
/** In characters. More of an answer would hide the next one. */
const maxDetail = 300

const explanation = [
  'Everything that the agent reads on this computer. Nothing is changed.',
  '  ok       it has answered',
  '  unknown  this computer does not have what was asked',
  '  FAILED   it should have answered, and did not',
]

/** Prints findings as they come, and at the end what a person should report. */
export function openReport(print: (line: string) => void) {
  const findings: Finding[] = []
  for (const line of explanation) print(line)
  return {
    title(text: string): void {
      print(`\n${text}`)
    },
    add(finding: Finding): void {
      const { name, state, asked, came, notes = [] } = finding
      findings.push(finding)
      print(`  ${marks[state].padEnd(8)} ${name}`)
      if (asked !== undefined) print(`${indent}asked: ${shorten(asked)}`)
      print(`${indent}came: ${shorten(came)}`)
      for (const note of notes) print(`${indent}${shorten(note)}`)
    },
    /** Returns whether something has failed. */
    summarise(): boolean {
      const inState = (state: AnswerState) => findings.filter((finding) => finding.state === state)
      const [failed, unknown] = [inState('failed'), inState('unknown')]
      print('\nSummary')
      print(`  ${inState('ok').length} ok, ${unknown.length} unknown, ${failed.length} failed`)
      for (const { name, state, came } of [...failed, ...unknown])
        print(`  ${marks[state].padEnd(8)} ${name}: ${shorten(came)}`)
      print('\nWhat to report')
      for (const line of adviceFor(failed.length, unknown.length)) print(`  ${line}`)
      return failed.length > 0
    },
  }
}

function adviceFor(failed: number, unknown: number): string[] {
  return [
    'Each line with "ok" whose answer is not what the computer itself shows.',
    ...(unknown > 0 ? ['Each line with "unknown", if the computer has what was asked.'] : []),
    ...(failed > 0 ? ['Each line with "FAILED".'] : []),
    'This output, which contains names, addresses and serial numbers of the computer.',
  ]
}

const shorten = (text: string) => (text.length > maxDetail ? `${text.slice(0, maxDetail).toWellFormed()}…` : text)
