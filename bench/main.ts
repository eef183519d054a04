import { benchActivation } from './activation.ts'
import { benchAssignments } from './assignments.ts'
import { benchBudget } from './budget/index.ts'
import { benchCompliance } from './compliance.ts'
import { benchComputers } from './computers.ts'
import { benchContacts } from './contacts.ts'
import { benchCrash } from './crash.ts'
import { benchEvents } from './events.ts'
import { benchFaults } from './faults.ts'
import { benchFrame } from './frame.ts'
import { benchFusion } from './fusion.ts'
import { benchFuzz } from './fuzz.ts'
import { benchInventories } from './inventories.ts'
import { benchModel } from './model.ts'
import { type BenchOptions, readBenchArguments } from './options.ts'
import { benchPages } from './pages.ts'
import { benchPatches, growPatchedFleet } from './patches.ts'
import { benchPatching } from './patching/index.ts'
import { benchPeople } from './people.ts'
import { benchPolicies } from './policies.ts'
import { benchPxe } from './pxe/index.ts'
import { benchBulk } from './rollout/bulk.ts'
import { benchRollout } from './rollout/index.ts'
import { benchRules } from './rules/index.ts'
import { benchScale } from './scale.ts'
import { benchScrolling } from './scrolling.ts'
import { benchSoak } from './soak/index.ts'
import { benchSweeps, growSweptFleets } from './sweeps.ts'
import { benchSystem } from './system.ts'
import { benchUpload } from './upload.ts'
import { benchVulnerabilities } from './vulnerabilities.ts'
import { benchWake } from './wake/index.ts'
import { benchWorkItems } from './work-items.ts'

type Benchmark = {
  about: string
  /** For benchmarks that take long. */
  isOnlyRunByName?: boolean
  run(options: BenchOptions): Promise<void>
}

const benchmarks: Record<string, Benchmark> = {
  frame: { about: 'one authenticated read, compared to a bare route with the same statement', run: benchFrame },
  computers: {
    about: 'reads and searches of 10,000 and 100,000 computers, compared to their statements',
    run: benchComputers,
  },
  assignments: {
    about: 'effective assignments in a tree of 2,000 groups; hashing of an import',
    run: benchAssignments,
  },
  agents: {
    about: 'contacts without work, compared to a bare route; first inventories; activation of 100,000 computers',
    async run() {
      await benchContacts()
      await benchInventories()
      await benchActivation()
    },
  },
  budget: {
    about: 'processor time and memory of the service without computers, of a new computer, a contact and a work item',
    isOnlyRunByName: true,
    run: benchBudget,
  },
  bulk: {
    about:
      'contacts during and after a mass activation, uninstall, reinstall, rescan, reboot, emergency and patch import',
    isOnlyRunByName: true,
    run: benchBulk,
  },
  crash: {
    about: 'service, workers, backends, postmaster and everything killed 200 times under acknowledged writes',
    isOnlyRunByName: true,
    run: benchCrash,
  },
  compliance: {
    about: 'patch compliance of all groups of 100,000 computers: the count, its pages, and one computer',
    isOnlyRunByName: true,
    run: benchCompliance,
  },
  events: {
    about: 'activation of 10,000 computers with and without events; 1,000 readers of the event stream',
    run: benchEvents,
  },
  faults: {
    about: 'the fault matrix: each fault three times, longer and under more load than in the tests',
    isOnlyRunByName: true,
    run: benchFaults,
  },
  fusion: {
    about:
      'inventories of FusionInventory and GLPI agents (new, changed, unchanged, partial) per second of processor time',
    run: benchFusion,
  },
  fuzz: {
    about: 'a million requests with hostile values in every place: no 5xx, no undeclared answer, nobody waits for them',
    isOnlyRunByName: true,
    run: benchFuzz,
  },
  model: {
    about:
      'random requests, contacts and results, after each of which all answers must be those of a model of deployments',
    isOnlyRunByName: true,
    run: benchModel,
  },
  pages: {
    about:
      'switches among all pages of the console in Chromium, from the click until the data is shown; the first view',
    isOnlyRunByName: true,
    run: benchPages,
  },
  patching: {
    about: 'a week of patches on a fleet of which 30 % are away on any day: who is patched, and who was restarted when',
    isOnlyRunByName: true,
    run: benchPatching,
  },
  patches: {
    about: 'reads of patches with 100,000 computers; storing a patch scan; import of advisories',
    run: benchPatches,
  },
  people: {
    about: 'what people read of 100,000 computers: the list by facet, order and search, its counts, pages, the export',
    run: benchPeople,
  },
  policies: {
    about: 'rehearsal of patch rules over 90 days and 100,000 computers; changes of a policy that all of them have',
    run: benchPolicies,
  },
  pxe: {
    about: 'virtual computers with BIOS and UEFI firmware boot from disk, and over the network what Muster serves',
    isOnlyRunByName: true,
    run: benchPxe,
  },
  rollout: {
    about: '20 packages for 10,000 and 100,000 computers, from the activation to the last result; contacts beside it',
    isOnlyRunByName: true,
    run: benchRollout,
  },
  rules: {
    about:
      'members by rule and the desired state with 100,000 computers: set, follow, plan, apply, export; contacts beside it',
    run: benchRules,
  },
  scale: {
    about: 'one, two and four nodes behind HAProxy; the crash of a node; a revoked principal',
    run: benchScale,
  },
  scrolling: {
    about: 'frames while the user scrolls through 100,000 computers in Chromium, compared to a table of 100 rows',
    isOnlyRunByName: true,
    run: benchScrolling,
  },
  soak: {
    about: 'half an hour of contacts, reads and work with faults: errors, lost work and memory growth',
    isOnlyRunByName: true,
    run: benchSoak,
  },
  sweeps: {
    about: 'issues of 10,000 and 100,000 computers with whole inventories, and of one computer; contacts during sweeps',
    run: benchSweeps,
  },
  system: {
    about:
      'the largest fleet that one node serves with a contact per minute, sweeps and reads; a profile of the service',
    run: benchSystem,
  },
  upload: {
    about: 'the upload of a file of 512 MB, compared to a plain write with hash',
    run: benchUpload,
  },
  vulnerabilities: {
    about:
      'the import of advisories for 100,000 computers with 150 packages each, of one new advisory, and of a full set of OSV',
    run: benchVulnerabilities,
  },
  wake: {
    about:
      'agents that keep a connection: memory and processor time at rest, click to start, attackers, a restart, an activation of all',
    isOnlyRunByName: true,
    run: benchWake,
  },
  work: {
    about: 'from hand-out to result: statements and processor time of a work item, one by one and with contacts',
    run: benchWorkItems,
  },
}

/** Builds the large fleets so that later runs need not. */
async function growFleets(): Promise<void> {
  if (!process.env.MUSTER_BENCH_DATA) throw new Error('Set MUSTER_BENCH_DATA to the folder for the fleets.')
  await growPatchedFleet()
  await growSweptFleets()
}

const help = `Usage: npm run bench [-- NAME ... [OPTION ...]]

Runs the named benchmarks, or all except ${listNamedOnly()}. Figures are ratios within one run on one machine. The exit code is 1 if a
target is missed.

${Object.entries(benchmarks)
  .map(([name, { about }]) => `  ${name.padEnd(12)} ${about}`)
  .join('\n')}

  fleets       build the large fleets of patches, sweeps and system without measuring; needs MUSTER_BENCH_DATA

--requests NUMBER   fuzz: how many requests (default: 1000000)
--seed NUMBER       fuzz, model: what the requests follow from (default: another one each time)
--surface NAME      fuzz: only api, agent, depot or fusion
--only NUMBER       fuzz: send only the request with this number, and print its answer; needs --seed
--rounds NUMBER     crash: how many kills (default: 200); model: how many sequences of up to 60 steps (default: 500);
                    pages: how many visits of each page (default: 5)
--computers NUMBER  pages: how many computers the fleet has (default: 100000)
--accept            budget: accept what was measured

MUSTER_BENCH_DATA=folder      keep the large fleets in this folder for twelve hours, and reuse them
MUSTER_BENCH_WORKERS=number   system, rollout, bulk: worker processes of the node (default: 1)
MUSTER_BENCH_FLEET=number     soak: computers with a contact per minute (default: 20000); use 70 % of the result of system
MUSTER_BENCH_MINUTES=number   soak: duration in minutes, at least 3 (default: 30)
MUSTER_BENCH_ROLLOUT=number,number   rollout: computers of each fleet (default: 10000,100000)
MUSTER_BENCH_BULK=number      bulk: computers (default: 2000)
MUSTER_BENCH_AGENTS=number    rollout: agents that work at the same time (default: 32)
MUSTER_BENCH_PROTOCOL=requests   rollout: agents send a request for each start and result, instead of contacts that carry them
MUSTER_BENCH_CONTACTS=number  rollout, bulk: contacts per second beside it (default: 50)
MUSTER_BENCH_AUTOVACUUM=off   rollout, bulk: run the database without autovacuum
MUSTER_BENCH_SERVICE=file     budget: measure the main.ts of another checkout, and only show the figures
MUSTER_BENCH_SECONDS=5,15,25  faults: how long each fault lasts, for each round (default: 5,15,25)
MUSTER_BENCH_DOCUMENTS=number  vulnerabilities: documents of the full set (default: 100000)
MUSTER_BENCH_FAULTS=text      faults: only those whose name contains the text
MUSTER_BENCH_IPXE=folder      pxe: the builds of iPXE (default: /usr/lib/ipxe)
MUSTER_BENCH_OVMF=folder      pxe: the UEFI firmware (default: /usr/share/OVMF)
MUSTER_BENCH_EXPLAIN=1        sweeps, people: print the query plans`

function listNamedOnly(): string {
  const named = Object.keys(benchmarks).filter((name) => benchmarks[name]?.isOnlyRunByName)
  return new Intl.ListFormat('en-GB').format(named)
}

const { names, hasHelp, options } = readArguments()
const unknown = names.filter((name) => !(name in benchmarks) && name !== 'fleets')
if (hasHelp || unknown.length > 0) {
  console.log(unknown.length > 0 ? `Unknown benchmark: ${unknown.join(', ')}.\n\n${help}` : help)
  process.exit(unknown.length > 0 ? 1 : 0)
}
if (names.includes('fleets')) await growFleets()
for (const [name, benchmark] of Object.entries(benchmarks))
  if (names.length === 0 ? !benchmark.isOnlyRunByName : names.includes(name)) {
    console.log(`\n${name}: ${benchmark.about}`)
    await benchmark.run(options)
  }

function readArguments(): ReturnType<typeof readBenchArguments> {
  try {
    return readBenchArguments(process.argv.slice(2))
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${help}`)
    process.exit(1)
  }
}
