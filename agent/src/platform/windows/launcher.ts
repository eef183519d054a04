import type { SharedCommands } from '../platform.ts'

/** Runs the installed version of the agent until it ends. */
export async function runVersion(agent: SharedCommands, _stopping: AbortSignal): Promise<void> {
  await agent.run()
}
