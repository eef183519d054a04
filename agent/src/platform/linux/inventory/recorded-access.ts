import type { SourceAnswer } from '../../reports.ts'
import type { SystemAccess } from './system-access.ts'

/** Access that records what each tool of the system has answered. */
export function recordTools(system: SystemAccess, record: (answer: SourceAnswer) => void): SystemAccess {
  return {
    ...system,
    async output(tool, ...args) {
      const startedAt = performance.now()
      const output = await system.output(tool, ...args)
      const lines = output?.split('\n').filter((line) => line !== '').length
      record({
        source: tool,
        asked: [tool, ...args].join(' '),
        answer: output === undefined ? 'the tool does not exist' : `${lines} line${lines === 1 ? '' : 's'}`,
        state: output === undefined ? 'unknown' : 'ok',
        milliseconds: Math.round(performance.now() - startedAt),
      })
      return output
    },
  }
}
