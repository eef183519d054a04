import { sql } from 'kysely'
import { ouVariableName } from '../../src/features/computers/organizational-unit.ts'
import type { Tree } from './given.ts'
import type { World } from './open-world.ts'

const levels = 20
const longName = 'n'.repeat(240)
const maxValueLength = 65_536

/**
 * Makes texts that answers derive from stored ones as long as they can become: the paths of all groups that the test
 * creates, and the organizational unit of all computers, which is the value of a variable. Answers must not promise less.
 */
export async function makeDerivedTextsLong({ db, given }: Pick<World, 'db' | 'given'>): Promise<void> {
  await sql`
    update variable_definitions set default_value = repeat('x', ${maxValueLength}::integer)
    where lower(dotted_name) = lower(${ouVariableName})`.execute(db)
  const { root } = given
  const deepest = new Map<Tree, Promise<Awaited<ReturnType<typeof root>>>>()
  given.root = (tree) => {
    const known = deepest.get(tree) ?? nest(tree)
    deepest.set(tree, known)
    return known
  }
  async function nest(tree: Tree) {
    let group = await root.call(given, tree)
    for (let level = 0; level < levels; level++)
      group = await given.group({ parent: group, name: `${longName}${level}` })
    return group
  }
}
