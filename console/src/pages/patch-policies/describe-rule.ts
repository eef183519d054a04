import { type PatchPolicyTexts, usePatchPolicyTexts } from '../../texts/patch-policy-texts.ts'
import { type PatchTexts, usePatchTexts } from '../../texts/patch-texts.ts'
import type { PatchRule } from './policies.ts'

/** What a rule does and which patches it matches, in words. */
export function useRuleWords(): (rule: PatchRule) => { does: string; matches: string } {
  const texts = usePatchPolicyTexts()
  const { severities } = usePatchTexts()
  return (rule) => ({
    does: texts.does[rule.action](rule.afterDays ?? 0),
    matches: describeConditions(rule, texts, severities).join('; ') || texts.matches.all,
  })
}

function describeConditions(
  rule: PatchRule,
  { matches, types }: PatchPolicyTexts,
  severities: PatchTexts['severities'],
): string[] {
  const list = (values: readonly string[]) => values.join(matches.or)
  return [
    ...(rule.severities ? [matches.severities(list(rule.severities.map((name) => severities[name])))] : []),
    ...(rule.types ? [matches.types(list(rule.types.map((name) => types[name])))] : []),
    ...(rule.products ? [matches.products(list(rule.products))] : []),
    ...(rule.vendors ? [matches.vendors(list(rule.vendors))] : []),
    ...(rule.titles ? [matches.titles(list(rule.titles))] : []),
    ...(rule.minCvssScore === undefined ? [] : [matches.minCvssScore(rule.minCvssScore)]),
    ...(rule.minVrrScore === undefined ? [] : [matches.minVrrScore(rule.minVrrScore)]),
    ...(rule.minAgeDays === undefined ? [] : [matches.minAgeDays(rule.minAgeDays)]),
    ...(rule.maxAgeDays === undefined ? [] : [matches.maxAgeDays(rule.maxAgeDays)]),
    ...(rule.exploited === undefined ? [] : [matches.exploited(rule.exploited)]),
    ...(rule.unconfirmed ? [matches.unconfirmed] : []),
  ]
}
