-- Agents get the settings of a template only while it is Ready to Install. Until now the flag did not matter to templates:
-- those in use get it, so that nothing changes for their agents.
update packages set is_operational = true
where kind = 'AgentTemplate' and id in (select package_id from group_agent_templates);
