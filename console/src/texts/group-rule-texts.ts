import { deGroupRule } from './de-group-rule.ts'
import { enGroupRule } from './en-group-rule.ts'
import { type Language, useTranslation } from './texts.tsx'

const textsOf: Record<Language, typeof enGroupRule> = { en: enGroupRule, de: deGroupRule }

/** The texts of rules. They are not among the other texts, which every page loads. */
export function useGroupRuleTexts(): typeof enGroupRule {
  return textsOf[useTranslation().language]
}
