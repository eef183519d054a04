import { type ChildProcess, spawn } from 'node:child_process'

// Not our own environment: it may contain secrets, and PG* or LD_* variables would change what runs.
export const programEnvironment = {
  PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin',
  LC_ALL: 'C',
  TZ: 'UTC',
}

export type ProgramResult = { ok: boolean; output: string }

/** Runs a program as the user of this process. */
export async function runProgram(command: string, args: string[]): Promise<ProgramResult> {
  return await waitForExit(spawn(command, args, { env: programEnvironment, stdio: ['ignore', 'pipe', 'pipe'] }))
}

export function waitForExit(child: ChildProcess): Promise<ProgramResult> {
  return new Promise((resolve) => {
    let output = ''
    const collect = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.once('error', (error) => resolve({ ok: false, output: error.message }))
    child.once('close', (code) => resolve({ ok: code === 0, output: output.trim() }))
  })
}
