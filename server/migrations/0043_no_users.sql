-- No operation puts users into groups, so the number of users was always 0.
alter table groups drop column user_count;
