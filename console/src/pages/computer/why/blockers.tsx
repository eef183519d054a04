import { useFormat } from '../../../texts/format.ts'
import { useWhyTexts } from '../../../texts/why-texts.ts'
import type { Explanation } from './explanation.ts'
import { Part } from './part.tsx'
import classes from './why.module.css'

/** Only the service knows which system, condition or package it is about. */
const withSentence: readonly string[] = ['NotApplicable', 'ConditionUnmet', 'Superseded', 'ReplacementMissing']

/** What keeps it from the computer, in the order in which it will be resolved. */
export function Blockers({ blockers }: Pick<Explanation, 'blockers'>) {
  const why = useWhyTexts()
  const format = useFormat()
  if (blockers.length === 0) return null
  return (
    <Part title={why.blockers(blockers.length)}>
      <ol className={classes.list}>
        {blockers.map(({ reason, untilUtc, packages, message }) => (
          <li key={reason}>
            {why.reasons[reason]}
            {packages.length > 0 && ` ${packages.join(', ')}.`}
            {withSentence.includes(reason) && ` ${message}`}
            <div className={classes.path}>{untilUtc ? why.endsAt(format.dateTime(untilUtc)) : why.needsSomebody}</div>
          </li>
        ))}
      </ol>
    </Part>
  )
}
