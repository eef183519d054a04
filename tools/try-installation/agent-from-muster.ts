/**
 * Tries what Muster serves to install its agent, on a clean Debian with systemd and a real Muster: the command of an
 * enrolment token, its failures, updates that work and that do not, and the removal. It prints what it has verified.
 *
 *   node tools/try-installation/agent-from-muster.ts [ROOT.tar]
 *
 * Needs root and 'npm run build'. Without ROOT.tar, mmdebstrap makes the system. Everything is in temporary folders.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tryFailures } from './agent-failures.ts'
import { tryInstallation, tryRemoval } from './agent-installed.ts'
import { tryUpdates } from './agent-updates.ts'
import { buildAgentVersion } from './agent-versions.ts'
import { bootCleanSystem } from './clean-system.ts'
import { startMuster } from './muster.ts'
import { verify } from './verify.ts'

const work = await mkdtemp(join(tmpdir(), 'muster-try-'))
const muster = await startMuster(join(work, 'muster'))
try {
  const system = await bootCleanSystem('till-7', process.argv[2])
  try {
    verify('a clean Debian runs with systemd, without Node and without the agent', {
      node: (await system.within('command -v node muster-agent')).code !== 0,
    })
    const name = await buildAgentVersion(muster.store, work, '1.0.0')
    await tryFailures(muster, system, name)
    const computer = await tryInstallation(muster, system)
    await tryUpdates(muster, system, computer, (version, atStart) =>
      buildAgentVersion(muster.store, work, version, atStart),
    )
    await tryRemoval(muster, system, computer)
  } catch (error) {
    console.error((await system.within('journalctl --no-pager --unit muster-agent | tail -60')).output)
    throw error
  } finally {
    await system.stop()
  }
} finally {
  await muster.stop()
  await rm(work, { recursive: true })
}
