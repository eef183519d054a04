import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long processes may take to end after the test has ended or killed them. */
const patienceMs = 2_000

/**
 * Fails if a process of a test still runs, and kills it: it would run on until the computer is restarted. Every process of a
 * test, and those that it has started, have the folder of the test in their environment.
 */
export async function requireNoProcess(root: string): Promise<void> {
  const deadline = performance.now() + patienceMs
  let remaining = processesWith(`ROOT=${root}`)
  while (remaining.length > 0 && performance.now() < deadline) {
    await sleep(20)
    remaining = processesWith(`ROOT=${root}`)
  }
  if (remaining.length === 0) return
  for (const { pid } of remaining) kill(pid)
  const lines = remaining.map(({ pid, words }) => `  ${pid}  ${words.join(' ').trim()}`)
  throw new Error(['The test has left processes behind:', ...lines].join('\n'))
}

export type TestProcess = { pid: number; words: string[] }

/**
 * The processes of this machine that have one of their variables from a test. Programs under Wine are among them. Every test asks
 * at its end, and some ask again and again: reading the files one after the other takes a fifth of the processor time of reading
 * them at once.
 */
export function processesWith(variable: string): TestProcess[] {
  const pids = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
  return pids.flatMap((pid) => {
    const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8')
    try {
      // Few processes have the variable.
      if (!`\0${read('environ')}`.includes(`\0${variable}\0`)) return []
      const [line, state] = [read('cmdline'), read('stat')]
      return line === '' || state.includes(') Z') ? [] : [{ pid, words: line.split('\0') }]
    } catch {
      // It has ended meanwhile, or it belongs to another user.
      return []
    }
  })
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}
