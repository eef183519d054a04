import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { print } from '@muster/text/print'
import { findForeignState, type UserCommands, userCommands } from './commands/as-user.ts'
import { contactNow } from './commands/contact.ts'
import { enrol } from './commands/enrol.ts'
import { installPatches } from './commands/install-patches.ts'
import { inventory } from './commands/inventory.ts'
import { offers, take } from './commands/offers.ts'
import { openPage } from './commands/open.ts'
import { reportOsInstallation } from './commands/os-installed.ts'
import { postpone } from './commands/postpone.ts'
import { refreshPatches } from './commands/refresh-patches.ts'
import { repositoryPackage } from './commands/repository-package.ts'
import { rollBackPatches } from './commands/roll-back-patches.ts'
import { run } from './commands/run.ts'
import { selfUpdate } from './commands/self-update.ts'
import { selftest } from './commands/selftest.ts'
import { status } from './commands/status.ts'
import { resume, suspend } from './commands/suspend.ts'
import { trustKey } from './commands/trust-key.ts'
import { loadConfigurationFile } from './configuration-file.ts'
import { codeOf, ExpectedError } from './expected-error.ts'
import { computerInventory, noInventory } from './inventory/source.ts'
import { logTo } from './log.ts'
import { noPatches } from './patches/source.ts'
import { choosePlatform } from './platform/choose.ts'
import type { Platform, SharedCommands } from './platform/platform.ts'
import { readIdentity } from './state/identity.ts'
import { type StateFolder, stateFolder } from './state/state-folder.ts'
import { usage, usages } from './usage.ts'
import { agentVersion } from './version.ts'

const text = { type: 'string' } as const
const texts = { type: 'string', multiple: true } as const
const flag = { type: 'boolean' } as const
const commonOptions = { state: text, help: { ...flag, short: 'h' } } as const

type Command = (platform: Platform, args: string[]) => Promise<void>

const commands: Record<string, Command> = {
  async enrol(platform, args) {
    const identity = { name: text, domain: text, uuid: text, mac: text } as const
    const own = { server: text, token: text, installation: text, ca: text } as const
    const { values } = parseOptions(args, { ...own, ...identity, force: flag, insecure: flag, 'trust-key': texts })
    const { server, token, ...optional } = withEnvironment(values)
    if (!server || !token) throw new ExpectedError(`--server and --token are required.\n\n${usages.enrol}`)
    const trustedKeys = values['trust-key'] ?? process.env.MUSTER_AGENT_TRUST_KEY?.split(' ').filter(Boolean) ?? []
    await enrol(stateFolder(platform, values.state), { ...values, ...optional, server, token, trustedKeys })
  },
  async run(platform, args) {
    const { values } = parseOptions(args, { once: flag, 'pre-os': flag, 'reboot-command': text, 'no-inventory': flag })
    const options = {
      once: values.once === true,
      preOs: values['pre-os'] === true,
      rebootCommand: values['reboot-command'] ?? (process.env.MUSTER_AGENT_REBOOT_COMMAND || undefined),
    }
    const hasInventory = !values['no-inventory'] && process.env.MUSTER_AGENT_INVENTORY !== 'off'
    const sources = hasInventory
      ? { inventory: computerInventory(platform), patches: platform.patches }
      : { inventory: noInventory, patches: noPatches }
    await run(stateFolder(platform, values.state), options, sources)
  },
  contact: async (platform, args) => contactNow(folderOf(platform, args)),
  async status(platform, args) {
    const { values } = parseOptions(args, {})
    await runOnSide(platform, values.state, status, (agent) => agent.status())
  },
  async inventory(platform, args) {
    parseOptions(args, {})
    await inventory(platform)
  },
  async selftest(platform, args) {
    parseOptions(args, {})
    await selftest(platform)
  },
  async offers(platform, args) {
    const { values } = parseOptions(args, {})
    await runOnSide(platform, values.state, offers, (agent) => agent.offers())
  },
  async take(platform, args) {
    const { values, positionals } = parseOptions(args, {}, true)
    const [packageId, ...more] = positionals
    if (!packageId || more.length > 0) throw new ExpectedError(`Exactly one package is required.\n\n${usages.take}`)
    const takeHere = (state: StateFolder) => take(state, packageId)
    await runOnSide(platform, values.state, takeHere, (agent) => agent.take(packageId))
  },
  async request(platform, args) {
    const { values, positionals } = parseOptions(args, { reason: text }, true)
    const [wish, ...more] = positionals
    if (!wish || more.length > 0) throw new ExpectedError(`Exactly one text is required.\n\n${usages.request}`)
    await userCommands(platform, agentState(platform, values.state)).request(wish, values.reason ?? '')
  },
  async open(platform, args) {
    const { values } = parseOptions(args, { 'no-browser': flag })
    await openPage(platform, agentState(platform, values.state), { hasBrowser: values['no-browser'] !== true })
  },
  async suspend(platform, args) {
    const { values } = parseOptions(args, { mode: text, until: text })
    await suspend(stateFolder(platform, values.state), values.mode ?? 'Suspended', values.until)
  },
  async postpone(platform, args) {
    const { values } = parseOptions(args, { until: text })
    if (!values.until) throw new ExpectedError(`--until is required.\n\n${usages.postpone}`)
    const until = values.until
    const postponeHere = (state: StateFolder) => postpone(state, until)
    await runOnSide(platform, values.state, postponeHere, (agent) => agent.postpone(until))
  },
  async 'os-installed'(platform, args) {
    const { values } = parseOptions(args, { failed: flag, message: text })
    await reportOsInstallation(stateFolder(platform, values.state), {
      status: values.failed ? 'Failed' : 'Success',
      message: values.message ?? null,
    })
  },
  async 'trust-key'(platform, args) {
    const { values, positionals } = parseOptions(args, { remove: texts }, true)
    await trustKey(stateFolder(platform, values.state), positionals, values.remove ?? [])
  },
  async 'self-update'(platform, args) {
    const { values, positionals } = parseOptions(args, { 'allow-older': flag }, true)
    const [path, ...more] = positionals
    if (!path || more.length > 0)
      throw new ExpectedError(`Exactly one archive is required.\n\n${usages['self-update']}`)
    await selfUpdate(stateFolder(platform, values.state), path, values['allow-older'] === true)
  },
  async 'install-patches'(platform, args) {
    parseOptions(args, {})
    await installPatches(platform)
  },
  async 'roll-back-patches'(platform, args) {
    parseOptions(args, {})
    await rollBackPatches(platform)
  },
  async 'refresh-patches'(platform, args) {
    parseOptions(args, {})
    await refreshPatches(platform)
  },
  async 'repository-package'(platform, args) {
    const [step = '', path = '', ...more] = parseOptions(args, {}, true).positionals
    if (!['install', 'uninstall'].includes(step) || !path || more.length > 0)
      throw new ExpectedError(`A step and a file are required.\n\n${usages['repository-package']}`)
    await repositoryPackage(platform, step, path)
  },
  resume: async (platform, args) => resume(folderOf(platform, args)),
}

/** Users who may not use the state folder ask the agent, which decides what they may do. */
async function runOnSide(
  platform: Platform,
  chosen: string | undefined,
  here: (state: StateFolder) => Promise<void>,
  asUser: (agent: UserCommands) => Promise<void>,
): Promise<void> {
  const foreign = findForeignState(platform, chosen)
  await (foreign === undefined ? here(stateFolder(platform, chosen)) : asUser(userCommands(platform, foreign)))
}

/** The state folder of the agent that runs on this computer, whether or not this user may use it. */
function agentState(platform: Platform, chosen: string | undefined): string {
  return findForeignState(platform, chosen) ?? stateFolder(platform, chosen).root
}

/** Commands of ordinary users. The configuration of the agent does not concern them, and they may not read it. */
const forUsers = ['status', 'offers', 'take', 'request', 'postpone', 'open']

/** The state folder for a command that has no other option. */
const folderOf = (platform: Platform, args: string[]) => stateFolder(platform, parseOptions(args, {}).values.state)

const enrolmentOptions = ['server', 'token', 'installation', 'ca', 'name', 'domain', 'uuid', 'mac'] as const

/** The options of an enrolment, otherwise the variables such as MUSTER_AGENT_SERVER. */
function withEnvironment(values: { [name in (typeof enrolmentOptions)[number]]?: string | undefined }): typeof values {
  return Object.fromEntries(
    enrolmentOptions.map((name) => [
      name,
      values[name] ?? (process.env[`MUSTER_AGENT_${name.toUpperCase()}`] || undefined),
    ]),
  )
}

function parseOptions<T extends ParseArgsOptionsConfig>(args: string[], options: T, allowPositionals = false) {
  try {
    return parseArgs({ args, options: { ...commonOptions, ...options }, allowPositionals, strict: true })
  } catch (error) {
    throw codeOf(error)?.startsWith('ERR_PARSE_ARGS') ? new ExpectedError((error as Error).message) : error
  }
}

/** Runs the command that the arguments name. */
export async function runCommandLine([given = '--help', ...args]: string[]): Promise<void> {
  // American spelling is accepted as an alias.
  const name = given === 'enroll' ? 'enrol' : given
  if (name === '--help' || name === '-h' || name === 'help') return print(usage)
  if (name === '--version') return print(agentVersion)
  const platform = await choosePlatform()
  const command = findCommand(platform, name)
  if (!command) throw new ExpectedError(`Unknown command '${name}'.\n\n${usage}`)
  if (args.includes('--help') || args.includes('-h')) return print(command.usage ?? usage)
  logTo(platform.service)
  await command.run(args)
}

function findCommand(platform: Platform, name: string) {
  const shared = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (shared) return { usage: usages[name], run: (args: string[]) => runShared(platform, name, shared, args) }
  const own = Object.hasOwn(platform.commands ?? {}, name) ? platform.commands?.[name] : undefined
  return own && { usage: own.usage, run: (args: string[]) => own.run(args, sharedCommands(platform)) }
}

async function runShared(platform: Platform, name: string, command: Command, args: string[]): Promise<void> {
  const isOfUser = forUsers.includes(name) && platform.userChannel.findForeignState() !== undefined
  if (!isOfUser) loadConfigurationFile(platform)
  await command(platform, args)
}

function sharedCommands(platform: Platform): SharedCommands {
  return {
    loadConfiguration: () => loadConfigurationFile(platform),
    isEnrolled: async () => Boolean((await readIdentity(stateFolder(platform, undefined)))?.credential),
    enrol: async () => commands.enrol?.(platform, []),
    run: async () => commands.run?.(platform, []),
  }
}
