import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { linux } from '../../src/platform/linux/index.ts'
import { wakeRunningAgent } from '../../src/state/single-run.ts'
import { stateFolder } from '../../src/state/state-folder.ts'
import { agentProgram } from '../agent-bundle.ts'
import { processesWith } from '../remaining-processes.ts'
import { openWorld, until, waiting } from '../world.ts'
import type { AgentKind, Scripts } from './agent-kind.ts'

const scripts: Scripts = {
  sequence: (...lines) => lines.join('; '),
  succeed: 'true',
  append: (line, file) => `echo ${line} >> "$ROOT/${file}"`,
  remove: (file) => `rm "$ROOT/${file}"`,
  require: (file) => `test -e "$ROOT/${file}"`,
  exit: (code) => `exit ${code}`,
  print: (variable) => `echo "$${variable}"`,
  waiting,
  startService: '{ sleep 30 > /dev/null 2>&1 & }',
  isService: ({ words }) => words.join(' ').trim() === 'sleep 30',
}

/** The agent for Linux, from its sources. */
export const linuxKind: AgentKind = {
  name: 'Linux',
  scripts,
  until,
  async open(onEnd) {
    const world = await openWorld(onEnd ? { onEnd } : {})
    const { root, server } = world
    return {
      ...world,
      give: (given) => server.give(given),
      wake: () => wakeRunningAgent(stateFolder(linux, world.state)),
      pathOf: (file) => join(root, file),
      write: (file, content = '') => writeFile(join(root, file), content),
      commands: async () =>
        processesWith(`ROOT=${root}`).filter(({ words }) => !words.some((word) => word === agentProgram)),
    }
  },
}
