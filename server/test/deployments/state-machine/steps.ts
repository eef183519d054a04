import fc from 'fast-check'
import { expect } from 'vitest'
import type { Report } from './agents.ts'
import { type Both, compare } from './answers.ts'
import { type Bits, computers, groups, type Target } from './groups.ts'
import type { DeploymentModel } from './model.ts'
import {
  assignablePackages,
  bootImages,
  editions,
  languagePacks,
  modes,
  type Options,
  packages,
  type System,
  software,
} from './packages.ts'
import type { ModelWorkItem } from './work.ts'
import type { StateMachine } from './world.ts'

type Act = (both: Both, real: StateMachine) => Promise<void>

/** A step in both worlds. After it, everything that the API returns must equal the model. */
class Step implements fc.AsyncCommand<Both, StateMachine> {
  readonly #name: string
  readonly #act: Act

  constructor(name: string, act: Act) {
    this.#name = name
    this.#act = act
  }

  check = () => true

  async run(both: Both, real: StateMachine): Promise<void> {
    await this.#act(both, real)
    await compare(both, real)
  }

  toString = () => this.#name
}

const computer = fc.constantFrom(...computers)
const group = fc.nat(groups.length - 1)
const anyPackage = fc.nat(packages.length - 1)
const one = fc.constantFrom(...assignablePackages)
const oneOrLanguagePack = fc.constantFrom(...assignablePackages, ...languagePacks)
const bootImage = fc.constantFrom(...bootImages)
const edition = fc.nat(editions.length - 1)
const end = fc.constantFrom('Success' as const, 'Success' as const, 'Failed' as const)
const system = fc.constantFrom<System>('Windows', 'Linux')
const target = fc.oneof(fc.record({ computer }), fc.record({ group }))

/** A request to both worlds, which must return the same. */
function request<A extends unknown[]>(
  name: string,
  args: fc.Arbitrary<A>,
  send: (side: DeploymentModel | StateMachine, ...args: A) => unknown,
) {
  return args.map(
    (values) =>
      new Step(`${name}${JSON.stringify(values)}`, async ({ model }, real) => {
        const expected = send(model, ...values)
        expect(await send(real, ...values)).toEqual(expected)
      }),
  )
}

const setReady = fc.tuple(anyPackage, fc.constantFrom(true, true, true, false)).map(
  ([at, isReady]) =>
    new Step(`setReady(${at}, ${isReady})`, async ({ model }, real) => {
      model.isReady[at] = isReady
      await real.setReady(at, isReady)
    }),
)

const replaceGroup = fc.constantFrom(0, 2).map(
  (at) =>
    new Step(`replaceGroup(${at})`, async ({ model }, real) => {
      const expected = model.replaceGroup(at)
      expect(await real.replaceGroup(at, model)).toBe(expected)
    }),
)

const importContent = anyPackage.map(
  (at) =>
    new Step(`importContent(${at})`, async ({ model }, real) => {
      model.content[at] = (model.content[at] ?? 0) + 1
      await real.importContent(at)
    }),
)

const contacting = fc.record({
  isNewRun: fc.boolean(),
  hasNoLeasedWork: fc.boolean(),
  isPreOs: fc.constantFrom(false, false, false, true),
  wants: fc.oneof(fc.constant([]), fc.subarray(assignablePackages)),
})

const contact = fc.tuple(computer, contacting).map(
  ([at, contacting]) =>
    new Step(`contact(${at}, ${JSON.stringify(contacting)})`, async ({ model, ids }, real) => {
      const expected = model.contact(at, contacting)
      const { work, offers } = await real.contact(at, contacting)
      expect(
        work.map(({ package: of, kind, attempt }) => ({
          package: real.packageOf(of?.packageId ?? ''),
          kind,
          attempt,
        })),
      ).toEqual(expected.leased.map(({ package: of, kind, attempt }) => ({ package: of, kind, attempt })))
      expect(offers.toSorted(), `offers to ${at}`).toEqual(expected.offers.toSorted())
      for (const [n, item] of expected.leased.entries()) ids.set(item, work[n]?.workId ?? 0)
    }),
)

type WorkAction = (
  both: Both,
  real: StateMachine,
  item: ModelWorkItem,
  workId: number,
  attempt: number,
) => Promise<void>

/** A message of the agent about a work item that it has leased at some time, mostly about its current work and attempt. */
function aboutWork(name: string, act: WorkAction) {
  const which = fc.record({
    at: fc.nat(20),
    isLeased: fc.constantFrom(true, true, true, false),
    back: fc.constantFrom(0, 0, 0, 0, 1),
  })
  return which.map(
    ({ at, isLeased, back }) =>
      new Step(`${name} of ${isLeased ? 'leased' : 'any'} work ${at}, ${back} attempts before`, async (both, real) => {
        const known = [...both.ids].filter(([{ state }]) => !isLeased || state === 'Leased')
        const [item, workId] = known[at % Math.max(1, known.length)] ?? []
        if (item && workId && item.attempt > back) await act(both, real, item, workId, item.attempt - back)
      }),
  )
}

const start = aboutWork('start', async ({ model }, real, item, workId, attempt) => {
  const expected = model.start(item, attempt)
  expect(await real.start(item.computer, workId, attempt)).toEqual(expected)
})

const reported = (report: Report) =>
  aboutWork(`report ${Object.values(report).join(' ')}`, async ({ model }, real, item, workId, attempt) => {
    const expected = model.report(item, attempt, report)
    expect(await real.report(item.computer, workId, attempt, report)).toEqual(expected)
  })

const postpone = aboutWork('postpone', async ({ model }, real, item, workId, attempt) => {
  const expected = model.postpone(item, attempt)
  expect(await real.postpone(item.computer, workId, attempt)).toEqual(expected)
})

const timePasses = (name: 'expireLeases' | 'endRetryDelays') =>
  computer.map(
    (at) =>
      new Step(`${name}(${at})`, async ({ model }, real) => {
        model[name](at)
        await real[name](at)
      }),
  )

const offerTime = (name: 'passOfferDates' | 'endOffers') =>
  fc.constant(
    new Step(name, async ({ model }, real) => {
      model[name]()
      await real[name]()
    }),
  )

const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item)
const inGroup = fc.tuple(group, oneOrLanguagePack)
const onComputer = fc.tuple(computer, fc.constantFrom(...software))
const membership = fc.tuple(computer, group)
const mode = fc.constantFrom(...modes)
const distributed: fc.Arbitrary<Options> = fc.record({
  mode,
  offer: fc.constantFrom('Always', 'UntilDate'),
  revokeCount: fc.constantFrom(0, 2),
})
const options = fc.tuple(group, fc.option(one, { freq: 2 }), distributed)
const bits: fc.Arbitrary<Bits> = fc.constantFrom(
  { software: true, pxe: false, pull: false },
  { software: false, pxe: true, pull: false },
  { software: true, pxe: true, pull: false },
  { software: true, pxe: false, pull: true },
  { software: false, pxe: false, pull: true },
)
const installerReport = fc.record({ status: end, preOs: fc.option(end), languages: fc.subarray(languagePacks) })
const scope: fc.Arbitrary<[Target, boolean, Bits]> = fc.tuple(target, fc.boolean(), bits)

/** Everything that people, agents, installers and time can do. */
export const steps = [
  ...times(
    3,
    request('assign', inGroup, (side, ...args) => side.assign(...args)),
  ),
  request('unassign', inGroup, (side, ...args) => side.unassign(...args)),
  request('assignClass', fc.tuple(group), (side, ...args) => side.assignClass(...args)),
  request('unassignClass', fc.tuple(group), (side, ...args) => side.unassignClass(...args)),
  request('setClass', fc.tuple(fc.uniqueArray(one)), (side, ...args) => side.setClass(...args)),
  ...times(
    2,
    request('setOptions', options, (side, ...args) => side.setOptions(...args)),
  ),
  ...times(
    2,
    request('assignBootImage', fc.tuple(group, bootImage), (side, ...args) => side.assignBootImage(...args)),
  ),
  request('unassignBootImage', fc.tuple(group, bootImage), (side, ...args) => side.unassignBootImage(...args)),
  ...times(
    2,
    request('assignEdition', fc.tuple(group, edition), (side, ...args) => side.assignEdition(...args)),
  ),
  request('unassignEdition', fc.tuple(group, edition), (side, ...args) => side.unassignEdition(...args)),
  ...times(
    7,
    request('activate', scope, (side, ...args) => side.activate(...args)),
  ),
  request('deactivate', scope, (side, ...args) => side.deactivate(...args)),
  request('uninstall', onComputer, (side, ...args) => side.uninstall(...args)),
  ...times(
    2,
    request('reinstall', onComputer, (side, ...args) => side.reinstall(...args)),
  ),
  ...times(
    2,
    request('reboot', fc.tuple(computer), (side, ...args) => side.reboot(...args)),
  ),
  request('cancelReinstall', onComputer, (side, ...args) => side.cancelReinstall(...args)),
  request('reportSystem', fc.tuple(computer, system), (side, ...args) => side.reportSystem(...args)),
  request('setPxeSupport', fc.tuple(computer, fc.constantFrom(true, true, false)), (side, ...args) =>
    side.setPxeSupport(...args),
  ),
  ...times(
    3,
    request('reportInstaller', fc.tuple(computer, installerReport), (side, ...args) => side.reportInstaller(...args)),
  ),
  ...times(
    2,
    request('enrol', fc.tuple(computer), (side, ...args) => side.enrol(...args)),
  ),
  ...times(
    2,
    request('confirmInstallation', fc.tuple(computer), (side, ...args) => side.confirmInstallation(...args)),
  ),
  ...times(
    3,
    request('reportSystemInstalled', fc.tuple(computer, end), (side, ...args) => side.reportSystemInstalled(...args)),
  ),
  replaceGroup,
  ...times(
    2,
    request('join', membership, (side, ...args) => side.join(...args)),
  ),
  ...times(
    2,
    request('leave', membership, (side, ...args) => side.leave(...args)),
  ),
  request('move', fc.tuple(fc.constantFrom(1, null)), (side, ...args) => side.move(...args)),
  setReady,
  ...times(2, importContent),
  ...times(8, contact),
  ...times(2, start),
  ...times(2, postpone),
  ...times(6, reported({ status: 'Success', installationState: null })),
  ...times(5, reported({ status: 'Failed', installationState: null })),
  reported({ status: 'Failed', installationState: 'NotInstalled' }),
  timePasses('expireLeases'),
  ...times(4, timePasses('endRetryDelays')),
  offerTime('passOfferDates'),
  offerTime('endOffers'),
]
