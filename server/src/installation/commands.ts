import { join } from 'node:path'
import type { ServiceInstallation } from './files.ts'

/** What the commands depend on. The address of a database has a password, so only its presence matters. */
export type CommandSettings = { dataDirectory: string; packageStore: string; databaseUrl: string | undefined }

/** Commands for the machine of the service, which work when they are pasted, whatever the current folder is. */
export type InstallationCommands = {
  copyExample: string
  /** Undefined in a container, which its operator starts in another way. */
  useProviders: string | undefined
  backUp: string
}

/** The commands with which an agent runs on the machine of the service, from the same clone. */
export type OwnAgentCommands = { enrol: string; run: string }

export function installationCommands(
  installation: ServiceInstallation,
  settings: CommandSettings,
): InstallationCommands {
  const { kind, folder } = installation
  const { dataDirectory, packageStore } = settings
  const copyExample = `cp -r ${quote(join(folder, 'examples/packages/greeting'))} ${quote(`${packageStore}/`)}`
  if (kind === 'Clone')
    return {
      copyExample,
      useProviders: `MUSTER_OIDC_PROVIDERS_FILE="$PWD/providers.json" ${runInClone(installation, settings)} start`,
      backUp: `${runInClone(installation, settings)} run backup -- "$PWD/muster.backup"`,
    }
  return {
    copyExample,
    useProviders:
      kind === 'Package'
        ? 'install -m 600 providers.json /etc/muster/credentials/OIDC_PROVIDERS_FILE && systemctl restart muster'
        : undefined,
    backUp: `muster-server backup ${quote(join(dataDirectory, 'muster.backup'))}`,
  }
}

/**
 * The agent keeps its state in the data folder, and the example package installs itself there: neither needs root, and nothing
 * is left once the folder is deleted. Undefined for an installation without the agent.
 */
export function ownAgentCommands(
  { kind, folder }: ServiceInstallation,
  { dataDirectory }: CommandSettings,
  enrolment: { origin: string; token: string; isInsecure: boolean },
): OwnAgentCommands | undefined {
  if (kind !== 'Clone') return undefined
  const agent = `npm --prefix ${quote(folder)} run agent --`
  const state = `--state ${quote(join(dataDirectory, 'agent'))}`
  const options = enrolment.isInsecure ? ' --insecure' : ''
  return {
    enrol: `MUSTER_AGENT_TOKEN=${enrolment.token} ${agent} enrol --server ${enrolment.origin}${options} ${state}`,
    run: `MUSTER_EXAMPLE_ROOT=${quote(join(dataDirectory, 'example'))} ${agent} run ${state}`,
  }
}

/** A script of the clone finds the data of this service only with the settings that differ from their defaults. */
function runInClone(
  { folder }: ServiceInstallation,
  { dataDirectory, packageStore, databaseUrl }: CommandSettings,
): string {
  return [
    dataDirectory !== join(folder, 'data') && `MUSTER_DATA_DIR=${quote(dataDirectory)}`,
    packageStore !== join(dataDirectory, 'packages') && `MUSTER_PACKAGE_STORE=${quote(packageStore)}`,
    databaseUrl !== undefined && 'MUSTER_DATABASE_URL=postgres://…',
    `npm --prefix ${quote(folder)}`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** Nothing in single quotes has a meaning for a shell. */
function quote(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
