import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repository } from '../../server/test/world/service-process.ts'

type Exception = { guide: string; command: RegExp; reason: string }

/** Commands of the guides that do not run in the test. Everything else runs and must succeed. */
export const notRun: readonly Exception[] = [
  { guide: 'agent.md', command: /^systemctl/, reason: 'it needs systemd and changes the machine' },
  {
    guide: 'agent.md',
    command: /muster-agent contact/,
    reason: 'no agent runs; agent/test/wake-channel.test.ts runs it',
  },
  { guide: 'agent.md', command: /muster-agent selftest/, reason: 'it scans for patches, and inventory reads the same' },
  { guide: 'agent.md', command: /muster-agent take/, reason: 'the id of the package is a placeholder' },
  { guide: 'agent.md', command: /muster-agent open/, reason: 'no agent runs; tests/self-service runs it' },
  { guide: 'self-service.md', command: /muster-agent/, reason: 'no agent runs; agent/test/user-channel runs them' },
  {
    guide: 'self-service.md',
    command: /package-requests (approve|decline)/,
    reason: 'the id of the request is a placeholder',
  },
  { guide: 'backup-and-restore.md', command: /^0 2 \* \* \*/, reason: 'it is a line for cron' },
  { guide: 'configuration.md', command: /^MUSTER_HOST=/, reason: 'it needs a database server' },
  { guide: 'demo.md', command: /npm run demo/, reason: 'it runs until it is stopped; test/demo runs it' },
  {
    guide: 'keys.md',
    command: /^MUSTER_KEY_FILE=/,
    reason: 'the service runs without a key file; test/platform/keys starts with one and replaces it',
  },
  {
    guide: 'keys.md',
    command: /--anchors/,
    reason: 'the service exports no anchors; test/audit/audit-anchors.test.ts verifies some',
  },
  { guide: 'events.md', command: /chat-bridge/, reason: 'it runs until it is stopped, and the chat is a placeholder' },
  { guide: 'keys.md', command: /^MUSTER_DATABASE_OWNER_URL=/, reason: 'it needs a database server' },
  { guide: 'patches.md', command: /^MUSTER_PATCH_HOSTS=/, reason: 'the hosts are placeholders' },
  {
    guide: 'sign-in.md',
    command: /admin -- link/,
    reason: 'the settings do not name the port of the service; test/web/sign-in-link.test.ts runs it',
  },
  {
    guide: 'signed-packages.md',
    command: /--trust-key|muster-agent trust-key/,
    reason: 'the agent of agent.md would run no other package; agent/test/pinned-keys.test.ts runs it',
  },
  { guide: 'pxe.md', command: /\breport\b/, reason: 'it runs in an installer; test/channels/pxe reports results' },
]

/** The index and the guides in the order in which it lists them. */
export async function listGuides(): Promise<string[]> {
  const index = await readFile(join(repository, 'docs/guides/README.md'), 'utf8')
  return ['README.md', ...[...index.matchAll(/^- \[.*?\]\(([\w-]+\.md)\)/gm)].map(([, guide = '']) => guide)]
}

/** The commands of a guide as one script, in their order, without those that do not run. */
export async function readCommands(guide: string): Promise<string> {
  const commands = (await readBlocks(guide, 'sh')).flatMap(splitCommands)
  return commands.filter((command) => !findException(guide, command)).join('\n')
}

/** Exceptions that match no command any more. */
export async function listUnusedExceptions(): Promise<Exception[]> {
  const isUsed = async ({ guide, command }: Exception) =>
    (await readBlocks(guide, 'sh')).flatMap(splitCommands).some((one) => command.test(one))
  const uses = await Promise.all(notRun.map(isUsed))
  return notRun.filter((_, at) => !uses[at])
}

/** The contents of the blocks of a guide that are marked with the language. */
export async function readBlocks(guide: string, language: string): Promise<string[]> {
  const text = await readFile(join(repository, 'docs/guides', guide), 'utf8')
  const blocks = text.matchAll(/^( *)```(\w+)\n(.*?)^ *```$/gms)
  return [...blocks]
    .filter(([, , marked]) => marked === language)
    .map(([, indent = '', , content = '']) => content.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
}

function findException(guide: string, command: string): Exception | undefined {
  return notRun.find((exception) => exception.guide === guide && exception.command.test(command))
}

/** Lines, joined with those that continue them. */
const splitCommands = (block: string) => block.trimEnd().split(/(?<!\\)\n/)
