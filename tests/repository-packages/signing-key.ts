import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type SigningKey = ReturnType<typeof makeSigningKey>

/** A key of gpg that signs repositories. `end` stops what gpg has started. */
export function makeSigningKey() {
  // gpg refuses long paths of sockets.
  const home = mkdtempSync(join(tmpdir(), 'muster-gpg-'))
  const gpg = (args: readonly string[], input = '') =>
    execFileSync('gpg', ['--homedir', home, '--batch', '--yes', '--passphrase', '', ...args], {
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    })
  gpg(['--quick-gen-key', 'Repository <repository@example.org>', 'rsa3072', 'sign', 'never'])
  return {
    home,
    publicKey: gpg(['--armor', '--export']),
    sign: (text: string) => gpg(['--clearsign', '--digest-algo', 'SHA256'], text),
    /** Puts the signature of a file beside it. */
    signFile: (path: string) => gpg(['--armor', '--detach-sign', path]),
    end() {
      spawnSync('gpgconf', ['--homedir', home, '--kill', 'all'])
      rmSync(home, { recursive: true, force: true })
    },
  }
}
