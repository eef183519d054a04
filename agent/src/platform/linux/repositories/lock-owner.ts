import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'

/** All tools name the process: "by process 17 (apt-get)", "with pid 17", "already locked by 17". */
const mentioned = /\b(?:process|pid|locked by)\s+(?:with pid )?(\d{1,10})\b/i

const interpreter = /^(python|perl|sh|bash|dash|platform-python)[\d.]*$/

/** Names the program that has locked the packages, by what a tool has printed: "unattended-upgrade (process 17)". */
export async function describeLockOwner(output: string): Promise<string> {
  const pid = mentioned.exec(output)?.[1]
  if (pid === undefined) return 'another program'
  const name = await nameOf(pid)
  return name === undefined ? `another program (process ${pid})` : `${name} (process ${pid})`
}

/** The script rather than its interpreter: unattended-upgrade and dnf are programs of Python. */
async function nameOf(pid: string): Promise<string | undefined> {
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  const [program = '', ...args] = line.split('\0').filter(Boolean)
  const name = basename(program)
  const script = interpreter.test(name) ? args.find((word) => !word.startsWith('-')) : undefined
  return (script === undefined ? name : basename(script)).slice(0, 100) || undefined
}
