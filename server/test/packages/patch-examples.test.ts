import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository as checkout } from '../world/service-process.ts'

function run(script: string, environment: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync('sh', [join(checkout, 'examples/packages', script)], {
    env: { PATH: process.env.PATH, ...environment },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

const examples = [
  ['patch-scan/scan.sh', 'refresh-patches'],
  ['patch-fix/fix.sh', 'install-patches'],
] as const

test.each(examples)('the example %s starts the agent that runs it, wherever that is', (script, command) => {
  const agent = `'printf' '%s|%s|%s' 'the agent'\\''s $HOME'`

  expect(run(script, { MUSTER_AGENT_COMMAND: agent })).toMatchObject({
    status: 0,
    stdout: `the agent's $HOME|${command}|`,
  })
  expect(run(script, { MUSTER_AGENT_COMMAND: "'sh' '-c' 'exit 100' " }).status).toBe(100)
})

test.each(examples)('the example %s says that an older agent cannot run it', (script) => {
  const { status, stderr } = run(script, {})

  expect(status).toBe(1)
  expect(stderr).toContain('needs a newer version of the agent')
})
