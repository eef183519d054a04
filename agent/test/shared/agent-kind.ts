import { setTimeout as sleep } from 'node:timers/promises'
import type { PackageCommand } from '../../src/protocol.ts'
import type { FakeServer } from '../fake-server.ts'
import type { GivenWork } from '../given-work.ts'
import type { TestProcess } from '../remaining-processes.ts'
import type { OnEnd } from '../world.ts'

type Ended = { code: number | null; output: string }
export type RunningAgent = { output(): string; ended: Promise<Ended>; kill(): Promise<void> }

/** A server that the test controls, an agent that is enrolled with it, and a folder for what commands leave. */
export type AgentWorld = {
  server: FakeServer
  /** Gives work on a package for the operating system of the agent. */
  give(given: GivenWork): number
  /** Makes a running agent contact the server at once, where a test can. */
  wake?(): Promise<unknown>
  start(...args: string[]): RunningAgent
  agent(...args: string[]): Promise<Ended>
  runOnce(): Promise<Ended>
  /** The state folder of the agent, as this process sees it. */
  state: string
  /** The path of a file in the folder, as commands see it. */
  pathOf(file: string): string
  write(file: string, content?: string): Promise<void>
  /** What commands have left in a file, with line feeds only. */
  left(file: string): string | undefined
  /** The number of lines that commands have added to a file. */
  times(file: string): number
  journal(): Promise<string[]>
  /** The processes of the commands of this test that run. */
  commands(): Promise<TestProcess[]>
}

/** How commands are written in the shell of the operating system. Files are those of the folder of the test. */
export type Scripts = {
  sequence(...lines: string[]): string
  succeed: string
  append(line: string, file: string): string
  remove(file: string): string
  /** Exits with an error if the file does not exist. It must be the only line. */
  require(file: string): string
  exit(code: number): string
  /** Prints the value of a variable. */
  print(variable: string): string
  /** Adds a line to `begun`, and then blocks until the test writes `go-on`, like a slow installer. */
  waiting(before: string, after: string): Partial<PackageCommand>
  /** Starts a program that runs for half a minute, without waiting for it. */
  startService: string
  isService(process: TestProcess): boolean
}

/**
 * An agent with its operating system. The shared tests have one list for all kinds, because what they are about is the same
 * code: enrolment, journal, leases, recovery, results.
 */
export type AgentKind = {
  name: 'Linux' | 'Windows'
  open(onEnd?: OnEnd): Promise<AgentWorld>
  scripts: Scripts
  /** Waits until something is so. Programs under Wine are slow. */
  until<T>(look: () => T | Promise<T>): Promise<NonNullable<T>>
}

/** Kills commands until none is left that could start another. */
export async function killCommands({ commands }: AgentWorld, isChosen = (_: TestProcess) => true): Promise<void> {
  for (;;) {
    const left = (await commands()).filter(isChosen)
    if (left.length === 0) return
    for (const { pid } of left) kill(pid)
    await sleep(20)
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
