import { benchActivation } from './activation.ts'
import { benchAssignments } from './assignments.ts'
import { benchComputers } from './computers.ts'
import { benchContacts } from './contacts.ts'
import { benchFrame } from './frame.ts'
import { benchFusion } from './fusion.ts'
import { benchInventories } from './inventories.ts'
import { benchPatches, growPatchedFleet } from './patches.ts'
import { benchScale } from './scale.ts'
import { benchSoak } from './soak/index.ts'
import { benchSweeps, growSweptFleets } from './sweeps.ts'
import { benchSystem } from './system.ts'

type Benchmark = {
  about: string
  /** Because it takes long. */
  isOnlyRunByName?: boolean
  run(): Promise<void>
}

const benchmarks: Record<string, Benchmark> = {
  frame: { about: 'one authenticated read against a bare route with the same statement', run: benchFrame },
  computers: {
    about: 'computers and their search, each against its statements, at 10,000 and 100,000',
    run: benchComputers,
  },
  assignments: { about: 'what computers get in a tree of 2,000 groups; hashing of an import', run: benchAssignments },
  agents: {
    about: 'contacts without work against a bare route; first inventories; activation of 100,000 computers',
    async run() {
      await benchContacts()
      await benchInventories()
      await benchActivation()
    },
  },
  fusion: {
    about: 'inventories of agents that were there before: new, changed, unchanged and partial, per second of CPU',
    run: benchFusion,
  },
  patches: {
    about: 'readers of patches at 100,000 computers, ingest of a scan, import of advisories',
    run: benchPatches,
  },
  scale: {
    about: 'one, two and four nodes behind HAProxy; the death of one; a revoked principal',
    run: benchScale,
  },
  soak: {
    about: 'half an hour of contacts, reads and work with faults: what fails, what is lost, and what grows',
    isOnlyRunByName: true,
    run: benchSoak,
  },
  sweeps: {
    about: 'issues of the fleet and of one computer at 10,000 and 100,000 with whole inventories; contacts meanwhile',
    run: benchSweeps,
  },
  system: {
    about:
      'the largest fleet that one node serves, with a contact each minute, beside sweeps and reads; a profile of it',
    run: benchSystem,
  },
}

/** Builds the large fleets of the benchmarks beforehand. */
async function growFleets(): Promise<void> {
  if (!process.env.MUSTER_BENCH_DATA) throw new Error('MUSTER_BENCH_DATA must name the folder for the fleets.')
  await growPatchedFleet()
  await growSweptFleets()
}

const help = `Usage: npm run bench [-- NAME ...]

Runs the named benchmarks, or all of them but soak. Figures are ratios within one run on one machine.

${Object.entries(benchmarks)
  .map(([name, { about }]) => `  ${name.padEnd(12)} ${about}`)
  .join('\n')}

  fleets       builds the large fleets of patches and sweeps beforehand, without measuring

MUSTER_BENCH_DATA=folder      keeps the large fleets there, for twelve hours, so that the next run need not build them
MUSTER_BENCH_WORKERS=number   of processes in which the node of system answers; one unless given
MUSTER_BENCH_FLEET=number     of computers with a contact each minute, for soak: 70 % of what system has found
MUSTER_BENCH_MINUTES=number   how long soak takes: 30 unless given, at least 3
MUSTER_BENCH_EXPLAIN=1        prints the plans of the statements of sweeps`

const names = process.argv.slice(2)
const unknown = names.filter((name) => !(name in benchmarks) && !['--help', 'fleets'].includes(name))
if (names.includes('--help') || unknown.length > 0) {
  console.log(unknown.length > 0 ? `There is no benchmark ${unknown.join(', ')}.\n\n${help}` : help)
  process.exit(unknown.length > 0 ? 1 : 0)
}
if (names.includes('fleets')) await growFleets()
for (const [name, benchmark] of Object.entries(benchmarks))
  if (names.length === 0 ? !benchmark.isOnlyRunByName : names.includes(name)) {
    console.log(`\n${name}: ${benchmark.about}`)
    await benchmark.run()
  }
