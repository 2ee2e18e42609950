/**
 * Words that mean much the same where people work together, above all in software, in senses that dictionaries of
 * general English lack or count as rare: one group a line, its members between commas. A member of several words is
 * known where a question has them side by side, and is itself found by its rarest word.
 */
export const workWords = `
  deploy, deployment, release, ship, rollout, launch, roll out, go live, push out
  rollback, undo, revert, roll back, backout, back out, take back, restore
  version, release, build
  merge, combine, unify, consolidate, bring together
  outage, downtime, incident, disruption, failure, breakdown, unavailable, interruption, down
  postmortem, retrospective, root cause, review, lessons learned
  bug, defect, error, fault, issue, problem, glitch, broken
  fix, repair, solve, resolve, patch, correct, remedy, sort out
  crash, fail, break, die, hang
  slow, sluggish, latency, delay, lag, performance, takes long
  fast, quick, rapid, speed, prompt
  bottleneck, limit, constraint, choke point
  login, signin, sign in, log in, authentication, authenticate, sso, log on
  password, credential, secret, passphrase, token, key
  permission, access, right, authorization, privilege, role, allowed, permitted
  encrypt, encryption, cipher
  leak, breach, expose, compromise, disclose
  hacker, attacker, intruder, hack, attack, breach
  phishing, scam, fraud, suspicious mail
  audit, inspection, check, review, examine
  backup, copy, snapshot, safety copy
  restore, recover, recovery, bring back, get back
  server, host, machine, node, instance, box
  database, db, postgres, mysql, sql, storage, data store
  repository, repo, codebase, code base, source code
  monitor, monitoring, observe, watch, alert, alarm, dashboard
  pager, oncall, rota, on call, on duty, duty, standby
  alert, alarm, page, warning, notification
  log, record, journal, trace
  configuration, config, setting, option, preference
  migrate, migration, move, switch, relocate, transition, port, transfer
  upgrade, update, renew, refresh
  deprecate, retire, sunset, phase out, switch off, shut down, discontinue, end of life
  api, interface, endpoint
  test, trial, check, verify, validate, qa
  beta, trial, pilot, preview, early access
  feature, function, capability, functionality
  roadmap, plan, milestone, schedule
  sprint, iteration, cycle
  ticket, issue, task, case
  backlog, queue, to do, todo
  deadline, due, cutoff, due date, time limit
  postpone, delay, defer, put off, push back, reschedule
  cancel, abort, call off, drop, scrap
  priority, urgent, important, critical
  assign, owner, responsible, accountable, in charge, take care, charge
  approve, approval, sign, signature, permit, authorize, sign off, consent, green light, ok
  reject, decline, deny, refuse, turn down
  decide, decision, choose, choice, pick, select, agree, settle on, opt
  reason, why, because, cause, rationale, motive
  proposal, suggestion, idea, propose, suggest
  oppose, against, object, disagree, dissent
  vote, poll, ballot
  meeting, call, session, talk, sync, appointment, get together
  standup, daily, daily meeting, morning round
  minutes, notes, protocol, record
  agenda, topic, item
  kickoff, start, begin, launch, kick off, opening
  goal, aim, objective, target, purpose
  risk, danger, threat, hazard, concern
  workshop, training, course, seminar, class, lesson
  offsite, retreat, gathering, outing, team event, company trip
  manager, boss, lead, supervisor, head, superior, leader, chief
  founder, ceo, executive, owner, management
  employee, staff, colleague, worker, teammate, coworker, personnel, team member
  newcomer, starter, joiner, new hire, new colleague, beginner
  onboarding, first day, first week, induction, getting started
  mentor, buddy, coach
  hire, hiring, recruit, recruitment, recruiting, employ
  applicant, candidate, interviewee, application, apply
  interview, talk, conversation
  vacancy, opening, position, job, role, open position
  fire, dismiss, dismissal, terminate, termination, sack, layoff, let go, lay off, redundancy
  resign, quit, leave, notice, leaving, departure, give notice
  contract, agreement, deal
  salary, pay, wage, compensation, remuneration, income, earnings, paycheck
  raise, increase, pay rise, grow
  bonus, reward, premium, incentive
  benefit, perk, extra
  overtime, extra hours, extra work
  vacation, holiday, holidays, leave, pto, day off, days off, time off, annual leave
  sick, ill, illness, sickness, disease, unwell, absent
  absence, absent, away, missing, not there
  doctor, physician, medical
  certificate, attest, note, proof
  parental, maternity, paternity, parent, baby, child, newborn, pregnant
  remote, home office, homeoffice, abroad, from home, work from home, telework
  office, building, premises, workplace
  desk, seat, workplace, place
  laptop, notebook, computer, pc, macbook, device
  phone, mobile, smartphone, cell phone, handset
  screen, monitor, display
  hardware, equipment, device, gear
  headset, headphone, earphone
  stolen, theft, lost, missing, steal, thief, gone, disappear
  badge, card, keycard, key, id card
  guest, visitor
  parking, car, vehicle, garage
  bike, bicycle
  kitchen, fridge, food, lunch, meal, canteen
  coffee, drink, beverage
  clean, cleaning, tidy
  trash, garbage, waste, rubbish
  invoice, bill, billing, invoicing
  payment, pay, paid, settle, remit
  overdue, late, outstanding, unpaid, debt
  reminder, dunning, nudge
  customer, client, account, buyer
  prospect, lead, potential customer, opportunity
  user, member, seat, customer
  supplier, vendor, provider, contractor
  partner, ally, reseller
  competitor, rival, competition
  churn, cancel, cancellation, leave, attrition, unsubscribe
  complaint, angry, upset, dissatisfied, unhappy, complain, escalation
  refund, reimburse, reimbursement, credit, compensation, money back, pay back, repay
  expense, cost, spending, expenditure, receipt, travel costs
  cheap, inexpensive, discount, affordable, low cost
  expensive, costly, dear, pricey
  price, cost, fee, charge, rate, pricing, tariff
  discount, rebate, reduction, cheaper, price cut
  budget, allowance, funds, money
  cash, money, funds, runway, liquidity
  revenue, income, turnover, sales, earnings
  profit, margin, gain
  loss, deficit, minus
  tax, vat, duty
  invest, investment, investor, funding
  purchase, buy, procure, procurement, acquire, acquisition, order
  shipping, delivery, shipment, deliver, freight
  warehouse, storehouse, stock, inventory, storage
  sale, sell, selling, deal
  demo, demonstration, presentation, present, show
  offer, quote, proposal, bid, quotation
  trial, free period, evaluation
  subscription, plan, licence, license
  support, helpdesk, help, service desk, help desk, assistance
  response, reply, answer, respond, react, reaction
  feedback, opinion, review, comment
  survey, poll, questionnaire
  appraisal, evaluation, review, performance review, assessment, feedback talk
  promotion, advancement, career, promote
  policy, rule, guideline, regulation
  law, legal, lawyer, attorney, solicitor
  privacy, gdpr, data protection, personal data
  delete, erase, remove, removal, purge, wipe, destroy, throw away, get rid
  keep, retain, retention, store, preserve
  download, export, extract, get out
  upload, import, load, ingest
  archive, store, shelve
  document, file, paper, record
  documentation, docs, manual, guide, handbook, instruction
  picture, photo, image, photograph, photography
  video, film, recording
  mail, email, message, letter
  chat, slack, message, channel
  website, site, page, homepage, web page
  advertisement, advertise, ad, campaign, marketing, promote
  brand, name, trademark, logo
  newsletter, mailing, announcement
  announce, tell, inform, communicate, notify
  contact, reach, call, get in touch, person to ask
  emergency, urgent, critical, crisis
  fire, blaze, evacuation
  accident, injury, first aid, hurt
  insurance, insure, cover, coverage
  travel, trip, journey, business trip, commute
  flight, plane, fly
  hotel, accommodation, room, lodging
  train, rail, railway
  spouse, partner, husband, wife, family
  frequency, often, interval, every
  expire, lapse, end, run out, valid, validity
  renew, extend, prolong, renewal
  large, big, huge, major
  small, little, minor, tiny
  error, mistake, wrong, slip
  improve, improvement, enhance, optimize, better
  reduce, decrease, lower, cut, shrink
  increase, raise, grow, growth, rise
  duration, length, how long, last, take
  shift, rotation, turn
  weekend, saturday, sunday
  weekly, week
  monthly, month
  yearly, annual, year
  quarterly, quarter
  twice, two, double
  half, fifty
  third, three
  job, work, occupation, employment, profession
  task, assignment, exercise, work item, duty
  country, nation, abroad, foreign, international, overseas
  enter, entrance, entry, door, get in
  throw away, discard, dispose, bin, empty, get rid
  email, mail, message, inbox, e mail
  dubious, suspicious, questionable, doubtful, strange
  attack, assault, abuse
  switch, change, replace, swap, substitute
  choose, prefer, favour, favor, recommend
  compare, comparison, versus, difference, alternative
  start, begin, commence, launch
  stop, end, finish, cease, halt, terminate
  finish, complete, done, close, conclude
  build, compile, create, make, construct
  break, interrupt, disrupt, fail
  block, prevent, hinder, stop, hold up
  allow, permit, enable, let
  forbid, prohibit, ban, disallow, not allowed
  require, need, demand, must, necessary, mandatory, obligatory
  request, ask, apply, application, inquire
  report, notify, inform, announce
  explain, describe, clarify
  show, display, present
  hide, mask, conceal, anonymize, redact
  find, locate, search, look up, discover
  lose, lost, mislay, missing
  send, ship, forward, dispatch, submit
  receive, get, obtain
  share, distribute, publish, release
  visit, guest, trip
  help, assist, support, aid
  learn, training, course, education, study, conference, book
  teach, train, instruct, coach
  size, amount, number, volume, quantity
  amount, sum, total
  maximum, limit, cap, ceiling, upper bound, at most
  minimum, floor, threshold, at least
  average, mean, median
  quota, allowance, limit, entitlement
  entitlement, entitled, allowance, right
  period, duration, term, time frame, window
  deadline, notice, period
  night, overnight, evening
  morning, early
  noon, midday, lunchtime
  responsible, owner, charge, accountable, maintainer, in charge
  participant, attendee, member, attend, present
  director, head, chief, manager
  developer, engineer, programmer, coder
  designer, ux, design
  admin, administrator, sysadmin, operator
  intern, trainee, apprentice, student, working student
  freelancer, contractor, external, consultant
  department, team, unit, division, group
  company, firm, business, enterprise, organization, organisation
  headquarters, office, head office, location, site
  branch, location, site, subsidiary
  city, town, place, location
  address, location, where
  key, badge, lock, unlock
  printer, print, copier
  network, wifi, wlan, internet, connection
  vpn, tunnel, remote access
  firewall, security, protection
  virus, malware, ransomware, trojan
  two factor, mfa, 2fa, authenticator, second factor
  disk, drive, storage, volume
  memory, ram
  cpu, processor, core
  cloud, aws, azure, gcp, hosting, provider
  cluster, kubernetes, k8s
  container, docker, image
  pipeline, ci, build, continuous integration
  branch, merge, pull request, merge request
  review, approve, code review
  test, coverage, unit test
  staging, preproduction, test environment
  production, prod, live
  environment, stage, instance
  schema, model, structure
  cache, caching, buffer
  queue, backlog, waiting
  timeout, expire, time limit
  traffic, load, requests, peak
  scale, scaling, grow, capacity
  capacity, space, room, seats
  library, dependency, package, module
  framework, library, stack, technology
  language, programming language
  open source, licence, license, free software
  copyright, patent, trademark
  search, query, find, lookup
  report, statistic, metric, figure, kpi, analytics
  metric, measure, kpi, indicator
  forecast, projection, estimate, prediction
  estimate, effort, guess, story point
  target, goal, quota
  strategy, vision, mission, plan
  experiment, trial, test, pilot
  lunch, meal, food
  party, celebration, christmas party, summer party
  gift, present, voucher
  birthday, anniversary
  donation, charity, nonprofit, donate, sponsor
  school, university, education, student
  wheelchair, accessible, accessibility, disabled, barrier
  dog, pet, animal
  smoke, smoking, cigarette
  noise, loud, quiet, silent
  temperature, heating, cold, warm, air conditioning
  light, lamp
  chair, furniture, desk, table
  pension, retirement, retire
  child, kid, kindergarten, daycare
  wedding, marriage, marry, married
  death, funeral, bereavement, die
  strike, protest
  works council, union, employee representatives
  diversity, inclusion, harassment, discrimination
  values, culture, principles, code of conduct
  dress code, clothing, clothes
  confidential, secret, private, internal
  nda, confidentiality, secrecy
`;
