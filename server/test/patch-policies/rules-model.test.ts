import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { patchSeverities } from '../../src/features/patches/patch-severities.ts'
import type { PatchRule } from '../../src/features/patches/policies/patch-rules.ts'
import { modelRuns } from '../world/model-runs.ts'
import { openPolicyWorld } from './policy-world.ts'

const { db, given, policy } = await openPolicyWorld()

const day = 86_400_000
const types = ['SecurityPatch', 'NonSecurityPatch', 'SoftwareDistribution'] as const
const words = ['Alpha Office', 'Beta 100%', 'alpha_tool', 'Gamma preview'] as const
const score = fc.option(fc.integer({ min: 0, max: 10 }), { nil: null })
const ages = fc.nat(40)

const anyPatch = fc.record({
  severity: fc.constantFrom(...patchSeverities),
  patch_type: fc.constantFrom(...types),
  name: fc.constantFrom(...words),
  bulletin_title: fc.option(fc.constantFrom(...words), { nil: null }),
  product: fc.nat(1),
  cvss_score: score,
  vrr_score: score,
  is_exploited: fc.boolean(),
  is_known_by_scan_only: fc.boolean(),
  released: fc.option(ages, { nil: null }),
  known: ages,
})

const patterns = fc.uniqueArray(fc.constantFrom('alpha*', '*PREVIEW', 'Beta 100%', 'alpha?tool', '*_*', 'none'), {
  minLength: 1,
  maxLength: 2,
})

const anyRule = fc
  .record(
    {
      action: fc.constantFrom('Approve' as const, 'Review' as const, 'Decline' as const),
      afterDays: fc.nat(30),
      severities: fc.uniqueArray(fc.constantFrom(...patchSeverities), { minLength: 1 }),
      types: fc.uniqueArray(fc.constantFrom(...types), { minLength: 1 }),
      titles: patterns,
      products: patterns,
      vendors: patterns,
      minCvssScore: fc.nat(10),
      minVrrScore: fc.nat(10),
      minAgeDays: fc.nat(20),
      maxAgeDays: fc.integer({ min: 20, max: 40 }),
      exploited: fc.boolean(),
      unconfirmed: fc.boolean(),
    },
    { requiredKeys: ['action'] },
  )
  .map(({ afterDays, ...rule }) => ({
    ...rule,
    ...(rule.action === 'Approve' &&
      afterDays !== undefined && { afterDays: Math.min(afterDays, rule.maxAgeDays ?? 30) }),
  }))

type Patch = typeof anyPatch extends fc.Arbitrary<infer P> ? P : never
type Rule = Omit<PatchRule, 'name'>

const products = [
  { name: 'alpha_tool', vendor: 'Alpha Ltd' },
  { name: 'Beta 100%', vendor: null },
] as const

/** The model: patterns become regular expressions, ages are whole days. */
function matches(rule: Rule, patch: Patch, age: number): boolean {
  const like = (values: readonly string[] | undefined, ...texts: (string | null)[]) =>
    !values ||
    values.some((value) => {
      const source = value.replace(
        /[.*+?^${}()|[\]\\]/g,
        (character) => ({ '*': '.*', '?': '.' })[character] ?? `\\${character}`,
      )
      return texts.some((text) => text !== null && new RegExp(`^${source}$`, 'i').test(text))
    })
  const product = products[patch.product as 0 | 1]
  return (
    (rule.unconfirmed === true || !patch.is_known_by_scan_only) &&
    (!rule.severities || rule.severities.includes(patch.severity)) &&
    (!rule.types || rule.types.includes(patch.patch_type)) &&
    like(rule.titles, patch.name, patch.bulletin_title) &&
    like(rule.products, product.name) &&
    like(rule.vendors, product.vendor) &&
    (rule.minCvssScore === undefined || (patch.cvss_score ?? -1) >= rule.minCvssScore) &&
    (rule.minVrrScore === undefined || (patch.vrr_score ?? -1) >= rule.minVrrScore) &&
    (rule.exploited === undefined || rule.exploited === patch.is_exploited) &&
    (rule.minAgeDays === undefined || age >= rule.minAgeDays) &&
    (rule.maxAgeDays === undefined || age <= rule.maxAgeDays)
  )
}

/** What the rules say about a patch so many days after its release: the number of the rule, its action, and whether it is approved. */
function rule(rules: readonly Rule[], patch: Patch, age: number): string {
  const at = rules.findIndex((one) => matches(one, patch, age))
  const found = rules[at]
  if (!found) return 'none'
  return `${at + 1} ${found.action} ${found.action === 'Approve' && age >= (found.afterDays ?? 0)}`
}

const today = Math.floor(Date.now() / day) * day
const dayAgo = (days: number) => new Date(today - days * day)

test('stored rulings say at every moment what the first rule that matches says', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyRule, { minLength: 1, maxLength: 5 }),
      fc.array(anyPatch, { minLength: 1, maxLength: 6 }),
      async (rules, patches) => {
        await db.deleteFrom('patch_policies').execute()
        await db.deleteFrom('patches').execute()
        await db.deleteFrom('patch_products').execute()
        const made = await Promise.all(
          products.map(async ({ name, vendor }) => {
            const product = await given.product({ name })
            await db.updateTable('patch_products').set({ vendor }).where('id', '=', product.id).execute()
            return product
          }),
        )
        const ids: number[] = []
        for (const { severity, product, released, known, ...columns } of patches) {
          const patch = await given.patch({
            ...columns,
            products: [made[product] as { id: number }],
            vendor_severity: severity,
            release_date: released === null ? null : dayAgo(released).toISOString().slice(0, 10),
            created_at: dayAgo(known),
          })
          ids.push(patch.id)
        }

        const { id } = await policy(rules)

        for (const ahead of [-45, -20, -7, 0, 3, 15, 40]) {
          const moment = new Date(today + ahead * day + day / 2)
          const { rows } = await sql<{ patch_id: number; verdict: string }>`
            select patch_id, concat_ws(' ', rule_number, action, coalesce(approved_from <= ${moment}, false)::text) as verdict
            from patch_policy_rulings
            where policy_id = ${id} and valid_from <= ${moment} and ${moment} < valid_until`.execute(db)
          const verdicts = new Map(rows.map((row) => [row.patch_id, row.verdict]))
          expect(rows.length).toBe(verdicts.size)
          for (const [at, patch] of patches.entries()) {
            const since = patch.is_known_by_scan_only || patch.released === null ? patch.known : patch.released
            expect(verdicts.get(ids[at] ?? 0) ?? 'none').toBe(rule(rules, patch, since + ahead))
          }
        }
      },
    ),
    { numRuns: modelRuns(20) },
  )
}, 60_000)
