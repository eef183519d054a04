import type { Database } from '../../../database/connect.ts'
import type { Role } from '../../../platform/roles.ts'
import type { PartRequest } from '../../../platform/steps.ts'
import type { DesiredState } from '../api/desired-state/document-schemas.ts'
import type { PackageNames } from './package-names.ts'
import type { StateSectionName } from './section-names.ts'

/** One object of the desired state in a form that can be compared. */
export type StateObject = {
  /** Identifies the object within its section, regardless of case. */
  key: string
  /** For people. */
  name: string
  /** Its content, without ids and times of the database. Only fields that the document has are compared. */
  fields: Record<string, unknown>
  /** The id of an object that exists. */
  id?: string | number
  /** Paths of the groups whose computers a change of the object affects. */
  groups?: string[]
  /** What it refers to. */
  needs?: StateReference[]
  /** References of the secrets that are needed to write it. */
  secrets?: string[]
  /** What the section needs beside the fields to make a change. */
  details?: unknown
}

export type StateReference = { section: StateSectionName; key: string; name: string }

export type FieldChange = { field: string; before: unknown; after: unknown }

export type StateChange = {
  section: StateSectionName
  action: 'add' | 'change' | 'remove'
  /** The object as it will be or, if it is removed, as it is. */
  object: StateObject
  /** Undefined if the object is new. */
  before: StateObject | undefined
  /** Undefined if the object is removed. */
  after: StateObject | undefined
  /** The changed fields; empty unless the action is change. */
  fields: FieldChange[]
}

/** A property of the document. */
export type StateProperty = keyof DesiredState

/** The objects of all sections, as they are in the database. */
export type CurrentState = ReadonlyMap<StateSectionName, ReadonlyMap<string, StateObject>>

/** What is known while a document is read. */
export type DocumentContext = { packages: PackageNames; current: CurrentState }

/** What is known while changes are made. Ids of objects that were added meanwhile are known, too. */
export type ChangeContext = {
  document: DesiredState
  idOf(section: StateSectionName, key: string): string | number
  packages: PackageNames
  find(section: StateSectionName, key: string): StateObject | undefined
  /** The value behind the reference of a secret. */
  secretOf(reference: string): string
}

/**
 * A part of the desired state. It reads tables, but changes nothing itself: each change is a request to an operation of
 * the API, so roles, checks, limits, audit and events are those of that operation.
 */
export type StateSection = {
  name: StateSectionName
  /** The property of the document that has its objects. Without one, others only refer to its objects. */
  property?: StateProperty
  /** Other properties whose objects refer to its objects. */
  usedBy?: readonly StateProperty[]
  /** What a caller needs to read it. */
  readRole: Role
  readCurrent(db: Database, packages: PackageNames): Promise<StateObject[]>
  /** The objects of the document; undefined if the document leaves the section out. */
  readDocument(document: DesiredState, context: DocumentContext): StateObject[] | undefined
  /** Adds the objects to a document that is exported. */
  writeDocument(objects: readonly StateObject[], document: DesiredState, packages: PackageNames): void
  /** The requests that make the changes of a step. */
  toRequests(changes: readonly StateChange[], context: ChangeContext): PartRequest[]
  /** True if all additions and changes are one step, and all removals another. */
  whole?: boolean
  /** Additions for which it returns the same text are one step, up to a number of them. */
  together?(change: StateChange): string
  /** Whether an object stays although the document does not list it. */
  isKept?(object: StateObject): boolean
  /** What prevents the change, as sentences. */
  blockersOf?(change: StateChange): string[]
  /** Whether the change has to come before those of all other sections. */
  isFirst?(change: StateChange): boolean
}
