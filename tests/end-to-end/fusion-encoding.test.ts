import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startMuster } from '../../server/test/world/start-muster.ts'
import { deploymentOf } from './deployments.ts'
import { fusionAgent, fusionAgentLabel, missingAgent } from './fusion-agents.ts'

const city = 'Zürich größe'
const country = '日本'

test.runIf(missingAgent === undefined)(
  `${fusionAgentLabel} gets file names, commands and variables in any script as they were written`,
  async () => {
    // The service knows its own machine by the name, and a real agent reports that name.
    const muster = await startMuster({ env: { MUSTER_TRUST_WEAK_MATCHES: 'on' } })
    const groupId = await muster.group('Office')
    const variableDefinitions = [
      { name: 'City', default: city },
      { name: 'Country', default: country },
    ]
    await muster.post('/api/catalog/apply', { catalog: { variableDefinitions } })
    const target = '"$MUSTER_EXAMPLE_ROOT/größe"'
    const shell = `mkdir -p ${target} && cp größe/*.txt ${target} && echo "$MUSTER_VAR_CITY|$MUSTER_VAR_COUNTRY|$MUSTER_PACKAGE_NAME" | tee ${target}/${country}`
    const manifest = {
      ...{ name: 'größe-日本', version: '1', operatingSystems: ['Linux'], kind: 'software' },
      commands: { install: { argv: ['sh', '-c', shell] } },
    }
    await muster.write('unicode/muster-package.json', JSON.stringify(manifest))
    await muster.write('unicode/größe/Zürich.txt', 'one')
    await muster.write('unicode/größe/日本.txt', 'two')
    const packageId = await muster.importFolder('unicode')
    await muster.post(`/api/group/${groupId}/packages`, { packageId })
    const token = await muster.enrolmentToken(groupId, 1)
    const agent = await fusionAgent(`${muster.service.address}/agent/fusion/${token}`)
    await agent.run()
    const { items } = await muster.get<{ items: { id: number; lastSeenUtc: string | null }[] }>('/api/computer')
    const computer = items.find(({ lastSeenUtc }) => lastSeenUtc !== null)?.id ?? 0

    await muster.post(`/api/group/${groupId}/activation`, { software: true })
    const log = await agent.run('--no-task=inventory')

    expect(await deploymentOf(muster, computer, packageId), log).toMatchObject({ status: 'Success', errorText: null })
    const installed = (name: string) => readFile(join(agent.root, 'größe', name), 'utf8')
    expect(await installed('Zürich.txt')).toBe('one')
    expect(await installed('日本.txt')).toBe('two')
    expect(await installed(country)).toBe(`${city}|${country}|größe-日本\n`)
  },
  180_000,
)
