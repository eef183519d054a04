import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { usePanels } from '../../../actions/use-panels.ts'
import { Facts } from '../../../components/facts.tsx'
import { useGroupRuleTexts } from '../../../texts/group-rule-texts.ts'
import { criteriaNames, type GroupPageData } from '../group-queries.ts'
import { RemoveRulePanel } from '../panels/remove-rule-panel.tsx'
import { RulePanel } from '../panels/rule-panel.tsx'
import { ReportedPropertiesWarning } from '../reported-properties-warning.tsx'

/** The rule of the group in words, and what it has done. */
export function RuleCard({ page, mayWrite }: { page: GroupPageData; mayWrite: boolean }) {
  const texts = useGroupRuleTexts()
  const { rule } = page
  const { shown, open, onClose } = usePanels<'edit' | 'remove'>()
  const { criteria } = rule
  const isStopped = rule.state === 'Stopped'
  return (
    <Paper withBorder p="sm" component="section" aria-label={texts.title}>
      <Stack gap="xs">
        {isStopped && (
          <Alert color="orange" role="alert" title={texts.stopped}>
            {texts.stoppedText(rule.joining ?? 0, rule.leaving ?? 0)}
          </Alert>
        )}
        <ReportedPropertiesWarning warning={rule.warning} />
        <Group justify="space-between" align="flex-start">
          {criteria ? (
            <Facts
              rows={criteriaNames.flatMap((name) => {
                const values = criteria[name]
                return values ? [[texts.fields[name], values.map((value) => value || '–').join(texts.or)] as const] : []
              })}
            />
          ) : (
            <Text size="sm" c="dimmed">
              {texts.noRule}
            </Text>
          )}
          {mayWrite && (
            <Group gap="xs">
              <Button variant={isStopped ? 'filled' : 'default'} onClick={() => open('edit', undefined)}>
                {isStopped ? texts.confirm : criteria ? texts.edit : texts.create}
              </Button>
              {criteria && (
                <Button variant="subtle" color="red" onClick={() => open('remove', undefined)}>
                  {texts.remove}
                </Button>
              )}
            </Group>
          )}
        </Group>
        {criteria && (
          <Text size="sm" c="dimmed">
            {[
              texts.membersByRule(rule.membersByRule),
              ...(rule.excludedComputers > 0 ? [texts.excluded(rule.excludedComputers)] : []),
              ...(rule.restlessComputers > 0 ? [texts.restless(rule.restlessComputers)] : []),
            ].join('; ')}
            . {texts.limit(rule.maxChangesPerHour ?? 0)}
          </Text>
        )}
      </Stack>
      {shown?.name === 'edit' && <RulePanel key={shown.number} page={page} isOpen={shown.isOpen} onClose={onClose} />}
      {shown?.name === 'remove' && (
        <RemoveRulePanel key={shown.number} page={page} isOpen={shown.isOpen} onClose={onClose} />
      )}
    </Paper>
  )
}
