import { AssignmentModel, computers, nameOf, packages, requiredBy, type Target } from './state-machine-groups.ts'
import {
  type Cause,
  isOpen,
  type Kind,
  newPiece,
  nothingKnown,
  type Piece,
  type State,
} from './state-machine-pieces.ts'

type Task = { type: string; computer: number | null; pieces: Piece[] }
export type Report = { status: 'Success' | 'Failed'; installationState: 'NotInstalled' | null }

const tries = 3

/** What the pages say about deployments, as plainly as it can be said. Every method answers as the API has to. */
export class DeploymentModel extends AssignmentModel {
  readonly isReady = packages.map(() => true)
  readonly content = packages.map(() => 0)
  readonly runs = computers.map(() => 0)
  readonly pieces: Piece[] = []
  readonly tasks: Task[] = []
  /** What happened since they were last looked at. */
  readonly events = computers.map((): string[] => [])
  readonly #states = new Map<string, State>()

  state(computer: number, one: number): State {
    const key = `${computer} ${one}`
    const known = this.#states.get(key) ?? { ...nothingKnown }
    this.#states.set(key, known)
    return known
  }

  activate(target: Target, isGlobal: boolean) {
    const scope = this.scope(target, isGlobal)
    return this.#publish(
      scope,
      { type: 'Activation', computer: 'computer' in target ? target.computer : null },
      'Activation',
    )
  }

  deactivate(target: Target, isGlobal: boolean) {
    const scope = this.scope(target, isGlobal)
    for (const { computer, group } of scope) this.active.delete(`${computer} ${group}`)
    const unpublished = this.pieces.filter(
      (piece) =>
        piece.state === 'Due' &&
        !piece.isReinstallAsked &&
        scope.some(({ computer }) => computer === piece.computer) &&
        !this.isBrought(piece.computer, piece.group),
    )
    for (const piece of unpublished) this.#cancel(piece)
    return unpublished.length
  }

  uninstall(computer: number, one: number) {
    const group = this.nearest(computer, one)
    if (group === null) return 'PackageNotAssigned'
    if (this.state(computer, one).installation !== 'Installed') return 'PackageNotInstalled'
    if (this.modeIn(group, one) === 'Uninstall') return 'UninstallAlreadyPending'
    this.options.set(`${group} ${one}`, 'Uninstall')
    for (const piece of this.#open(computer)) if (piece.package === one) this.#cancel(piece)
    this.#publish(this.scope({ computer }, true), { type: 'Uninstall', computer }, 'Request')
    return group
  }

  reinstall(computer: number, one: number) {
    const group = this.nearest(computer, one)
    if (group === null) return 'PackageNotAssigned'
    if (this.reinstallOf(computer, one)) return 'ReinstallAlreadyPending'
    for (const piece of this.#open(computer)) if (piece.package === one) this.#cancel(piece)
    const piece = this.#add(computer, one, 'Reinstall', 'Reinstall, Force', group, 'Request')
    piece.isReinstallAsked = true
    this.tasks.push({ type: 'Reinstall', computer, pieces: [piece] })
    return group
  }

  cancelReinstall(computer: number, one: number) {
    const piece = this.reinstallOf(computer, one)
    if (!piece) return 'ReinstallGroupNotFound'
    this.#cancel(piece)
    return 200
  }

  /** The group is deleted, and one with the same members takes its place. */
  replaceGroup(group: number) {
    this.clearGroup(group)
    for (const piece of this.pieces.filter((one) => one.group === group)) {
      if (isOpen(piece) && piece.isReinstallAsked) this.#cancel(piece)
      piece.group = null
    }
    return 204
  }

  /** What is handed out, in its order. */
  contact(computer: number, { isNewRun, isEmptyHanded }: { isNewRun: boolean; isEmptyHanded: boolean }) {
    if (isNewRun) this.runs[computer] = (this.runs[computer] ?? 0) + 1
    const run = this.runs[computer] ?? 0
    const isLost = (piece: Piece) => piece.run !== run || (isEmptyHanded && !piece.isStarted)
    const isDue = (piece: Piece) => !piece.isBackedOff && (piece.state === 'Due' || piece.isLeaseOver || isLost(piece))
    const handed = this.#open(computer).filter(
      (piece) => isDue(piece) && this.isReady[piece.package] && this.#hasItsTurn(piece),
    )
    const uninstalls = handed.filter(({ kind }) => kind === 'Uninstall')
    for (const piece of handed)
      Object.assign(piece, {
        state: 'Leased',
        run,
        isStarted: false,
        isLeaseOver: false,
        attempt: piece.attempt + 1,
        content: this.content[piece.package],
      })
    return [...uninstalls, ...handed.filter((piece) => !uninstalls.includes(piece))]
  }

  start(piece: Piece, attempt: number) {
    if (piece.state !== 'Leased' || piece.attempt !== attempt) return 'WorkNotHeld'
    if (!piece.isStarted) this.#tell(piece, 'Running', 'Report')
    const run = this.runs[piece.computer]
    Object.assign(piece, { isStarted: true, isLeaseOver: false, run, content: this.content[piece.package] })
    return 200
  }

  report(piece: Piece, attempt: number, report: Report) {
    const isHeld = piece.state === 'Leased' || piece.isAwaited
    if (!isHeld || piece.attempt !== attempt) return { accepted: false }
    const state = this.state(piece.computer, piece.package)
    const isFact = piece.isAwaited
    piece.isAwaited = false
    if (report.status === 'Success') {
      this.#setInstalled(piece)
      if (!isFact) this.#close(piece, 'Success', { result: 'Success', currentMode: piece.mode })
    } else {
      if (report.installationState) Object.assign(state, { installation: report.installationState, content: null })
      if (!isFact) this.#fail(piece)
    }
    this.#tell(piece, report.status, 'Report')
    if (!isFact && piece.state === 'Failed') this.#closeDependents(piece)
    return { accepted: true }
  }

  letLeasesRunOut(computer: number): void {
    for (const piece of this.#open(computer)) if (piece.state === 'Leased') piece.isLeaseOver = true
  }

  letBackOffsEnd(computer: number): void {
    for (const piece of this.#open(computer)) piece.isBackedOff = false
  }

  reinstallOf(computer: number, one: number): Piece | undefined {
    return this.#open(computer).find((piece) => piece.package === one && piece.isReinstallAsked)
  }

  #open(computer: number): Piece[] {
    return this.pieces.filter((piece) => piece.computer === computer && isOpen(piece))
  }

  #publish(scope: { computer: number; group: number }[], task: Omit<Task, 'pieces'>, cause: Cause) {
    for (const { computer, group } of scope) this.active.add(`${computer} ${group}`)
    const made = [...new Set(scope.map(({ computer }) => computer))].flatMap((computer) =>
      this.#compile(computer, cause),
    )
    if (made.length > 0) this.tasks.push({ ...task, pieces: made })
    return made.length > 0
  }

  #compile(computer: number, cause: Cause): Piece[] {
    const wanted = packages.flatMap((_, one) => {
      const group = this.nearest(computer, one)
      if (group === null || !this.isBrought(computer, group)) return []
      const mode = this.modeIn(group, one)
      const kind = this.#kindOf(computer, one, mode)
      return kind ? { one, group, mode, kind } : []
    })
    for (const piece of this.#open(computer).filter((open) => open.state === 'Due' && !open.isReinstallAsked)) {
      const still = wanted.find(({ one, kind }) => one === piece.package && kind === piece.kind)
      if (still) Object.assign(piece, { group: still.group, mode: still.mode })
      else this.#cancel(piece)
    }
    return wanted.flatMap(({ one, group, mode, kind }) =>
      this.#open(computer).some((piece) => piece.package === one)
        ? []
        : this.#add(computer, one, kind, mode, group, cause),
    )
  }

  #kindOf(computer: number, one: number, mode: string): Kind | undefined {
    const own = this.state(computer, one)
    const isInstalled = own.installation === 'Installed'
    if (mode === 'Reinstall') return 'Reinstall'
    if (mode === 'Uninstall') return isInstalled ? 'Uninstall' : undefined
    if (isInstalled) return mode.includes('Update') && own.content !== this.content[one] ? 'Update' : undefined
    if (this.#isInstalled(computer, nameOf(one))) return 'Update'
    return mode.includes('Install') ? 'Install' : undefined
  }

  #isInstalled(computer: number, name: string): boolean {
    return packages.some((one, at) => one.name === name && this.state(computer, at).installation === 'Installed')
  }

  #hasItsTurn(piece: Piece): boolean {
    if (piece.kind === 'Uninstall')
      return !this.#open(piece.computer).some(
        (other) => other.kind === 'Uninstall' && requiredBy(other.package) === nameOf(piece.package),
      )
    const required = requiredBy(piece.package)
    return required === null || this.#isInstalled(piece.computer, required)
  }

  #add(computer: number, one: number, kind: Kind, mode: string, group: number, cause: Cause): Piece {
    const piece: Piece = { ...newPiece, computer, package: one, kind, mode, group }
    this.pieces.push(piece)
    this.state(computer, one).isPending = true
    this.#tell(piece, 'Pending', cause)
    return piece
  }

  #cancel(piece: Piece): void {
    piece.isAwaited = piece.state === 'Leased'
    this.#close(piece, 'Cancelled', {})
    this.#tell(piece, 'Cancelled', 'Cancellation')
  }

  #close(piece: Piece, state: Piece['state'], change: Partial<State>): void {
    piece.state = state
    Object.assign(this.state(piece.computer, piece.package), { isPending: false, ...change })
  }

  #fail(piece: Piece): void {
    piece.failures++
    this.#close(piece, piece.failures < tries ? 'Due' : 'Failed', { result: 'Failed' })
    piece.isBackedOff = piece.failures < tries
  }

  /** Other versions go with it. */
  #setInstalled(piece: Piece): void {
    const { computer, package: one, kind, content } = piece
    const isGone = kind === 'Uninstall'
    for (const [other, { name }] of packages.entries()) {
      const state = this.state(computer, other)
      if (isGone || other === one || name !== nameOf(one) || state.installation !== 'Installed') continue
      Object.assign(state, { installation: 'NotInstalled', content: null })
      this.#tell({ ...piece, package: other }, 'Success', 'Dependency')
    }
    Object.assign(
      this.state(computer, one),
      isGone ? { installation: 'Uninstalled', content: null } : { installation: 'Installed', content },
    )
  }

  #closeDependents(failed: Piece): void {
    const isOnItsWay = (piece: Piece) => piece.kind !== 'Uninstall' && nameOf(piece.package) === nameOf(failed.package)
    if (failed.kind === 'Uninstall' || this.#isInstalled(failed.computer, nameOf(failed.package))) return
    if (this.#open(failed.computer).some(isOnItsWay)) return
    for (const piece of this.#open(failed.computer)) {
      if (piece.kind === 'Uninstall' || requiredBy(piece.package) !== nameOf(failed.package)) continue
      piece.isAwaited = piece.state === 'Leased'
      this.#close(piece, 'Failed', { result: 'Failed' })
      this.#tell(piece, 'Failed', 'Dependency')
    }
  }

  #tell({ computer, package: one, kind }: Piece, result: string, cause: Cause): void {
    const { name, version } = packages[one] ?? { name: '', version: '' }
    this.events[computer]?.push(`${name} ${version}: ${result} ${cause} ${kind}`)
  }
}
