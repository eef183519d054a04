import { until } from '../../simulator/demo/api.ts'
import { type Computer, versionOf } from './agent-installed.ts'
import type { CleanSystem } from './clean-system.ts'
import type { Muster } from './muster.ts'
import { verify } from './verify.ts'

type BuildVersion = (version: string, atStart?: string) => Promise<string>

type Deployment = { softwareId: string; status: string; installationState: string; errorText: string | null }

const trialSeconds = 15

/** Ways in which a new version does not work, as code that runs before it is the agent. */
const broken = {
  '1.2.0': { how: 'ends at once', atStart: `if (process.argv[2] === 'run') process.exit(3)` },
  '1.3.0': {
    how: 'never contacts the server',
    atStart: `if (process.argv[2] === 'run') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`,
  },
  '1.4.0': {
    how: 'ends together with its launcher',
    atStart: `if (process.argv[2] === 'run') { process.kill(process.ppid, 'SIGKILL'); process.kill(process.pid, 'SIGKILL') }`,
  },
}

/** Updates the agent by ordinary packages: a version that works, and some that do not. */
export async function tryUpdates(
  muster: Muster,
  system: CleanSystem,
  computer: Computer,
  build: BuildVersion,
): Promise<void> {
  await system.within(`mkdir -p /run/systemd/system/muster-agent.service.d
    printf '[Service]\\nEnvironment=MUSTER_AGENT_TRIAL_SECONDS=${trialSeconds}\\n' > /run/systemd/system/muster-agent.service.d/trial.conf
    systemctl daemon-reload && systemctl restart muster-agent`)

  const updated = await deploy(muster, system, computer, await build('1.1.0'))
  verify(
    'an ordinary package updates the agent, which reports its new version',
    {
      success: updated.status === 'Success' && updated.installationState === 'Installed',
      'reported version': (await versionOf(muster, computer)) === '1.1.0',
      'version on the computer': (await system.within('muster-agent --version')).output === '1.1.0',
      'runs from the updated file': (await runningFile(system)).includes('/versions/1.1.0-'),
    },
    updated,
  )

  for (const [version, { how, atStart }] of Object.entries(broken)) {
    const failed = await deploy(muster, system, computer, await build(version, atStart))
    verify(
      `the previous version returns if the new one ${how}, and reports the failure`,
      {
        failed: failed.status === 'Failed',
        reason: failed.errorText?.includes(`Version ${version} of the agent did not contact the server`) === true,
        'reported version': (await versionOf(muster, computer)) === '1.1.0',
        'version on the computer': (await system.within('muster-agent --version')).output === '1.1.0',
        'runs again': (await system.within('systemctl is-active muster-agent')).output === 'active',
      },
      failed,
    )
  }
}

const runningFile = async (system: CleanSystem) => (await system.within('readlink /proc/[0-9]*/exe')).output

/** Signs and releases a package, assigns it to the group of the computer, and waits for its result. */
async function deploy(
  muster: Muster,
  system: CleanSystem,
  { id, groupId }: Computer,
  name: string,
): Promise<Deployment> {
  const { api } = muster
  await muster.sign(name)
  const packageId = await muster.release(name)
  await api.post(`/api/group/${groupId}/packages`, { packageId })
  await api.post(`/api/group/${groupId}/activation`, { software: true })
  // The agent makes a contact at once.
  await system.within('muster-agent resume')
  const result = await until(
    async () => {
      const deployments = await api.get<Deployment[]>(`/api/computer/${id}/software-deployment`)
      return deployments.find((one) => one.softwareId === packageId && one.status !== 'Pending')
    },
    `the result of ${name}`,
    180_000,
  )
  await api.delete(`/api/group/${groupId}/packages/${packageId}`)
  return result
}
