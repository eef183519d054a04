import { execFile } from 'node:child_process'
import { findPackageJSON } from 'node:module'
import { promisify } from 'node:util'

// Runs at the end of `npm install`. Console and service are built with development dependencies: an installation without
// them gets the service, which also runs from its sources, and uses a console that was built elsewhere.
const buildTools = ['rolldown', 'vite']

/** Fails with what the script printed. */
async function run(script: string): Promise<void> {
  const { stdout, stderr } = await promisify(execFile)('npm', ['run', '--silent', script])
  process.stdout.write(stdout)
  process.stderr.write(stderr)
}

// The command line reads a file of it, so an installation without development dependencies needs it too.
await run('generate')
if (buildTools.every(isInstalled)) await Promise.all([run('build:server'), run('build:console')])
else
  console.log(
    'Nothing was built, because --omit=dev or NODE_ENV=production left out the build tools. ' +
      'The service runs, but has no console: run `npm install --include=dev`, or copy console/dist from another machine.',
  )

function isInstalled(name: string): boolean {
  try {
    return findPackageJSON(name, import.meta.url) !== undefined
  } catch {
    return false
  }
}
