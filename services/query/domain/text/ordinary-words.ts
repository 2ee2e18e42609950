// Made by test/eval/make-everyday-words.ts from the counts of senses of WordNet 3.0, © Princeton University.

/** Other words that readers of English prose meet now and then, one of each stem, by the alphabet. */
export const ordinaryWords = `
  ab abandon abbot abdomen aberrant abet abide abject ablated abo aboard abode abolish abolitionist abortion abound
  abridge abroad abrupt abruptly abscess absent absentminded absentmindedly absorption abstain absurd abyss academy
  accent accentuate accessory accidental acclaim accordingly accost accredit accretion accrue acculturate accuracy
  accurate accustom ace acetone acetonemia ache acoustical acquaint acquiesce acquisition acre acreage acrobatic actuate
  adam additionally adequacy adjectival adjective adjoin adjourn adjunct admissible admonition adolescence adorn adroit
  adsorb adulterer adventure adverb adverse aegean aerated aerial aerosol aesthetic afar affectionate affiliated affirm
  affix affluence affront aflame aflare aforesaid afraid afternoon afterward agenda agglomerate agglutination agglutinin
  aggravate aggregate aggressor aghast agile agony ailing ailment aimless airborne airport airspeed airway airy aisle
  akin alabama alabaster alarm albany album albumin alert algebraically algerian alibi alien align alike alive alkali
  alkaline allegation allegory alleviate alligator allocable allot allusion aloes aloof aloud altercation altitude
  altogether alveolar alveolus amateur amaze ambassador amber ambiguity ambition ambitious ambivalent amble ambulance
  ambush americana amiable ammo ammunition amoral amorphous amp ample amplifier amplitude amply amputate amsterdam amuse
  anabaptist anachronism anaconda analeptic analogous analyse analyst analytic analyze anarchy anastomosis anatomic
  ancestor ancestral ancestry anchor andrena anecdote anemia angel anglican angrily angst anguish angular animallike
  anion ankle annihilate anniversary annoy annoyance anode anonymity ant antagonism antagonist antecedent antelope
  antenna anthropologist anthropology anti anticipate antipathy antique antiseptic antiserum antithyroid anxious
  anxiously anyhow anymore anyway anywhere aorta apache apex apiece apologetic apologize apostolic apothecary appalling
  appease appendix appetite applaud applause appointee apportion appraisal appreciable apprehend apprehension apprentice
  approvingly april apron apt aptitude aqueous arbitrarily arbitrary arc archbishop ardor argon arianist aristocracy
  aristotle arithmetic arkansas armadillo armchair armpit arraign array arrest arrogance arrow arroyo arteriolar
  arteriole arteriolosclerosis arthritis artillery ascertain ascribe ashamed ashen ashore asleep aspirant ass assail
  assassin assault assay assemblage assent assess assessor assignee assimilate assorted assumption assurance assuredly
  assyrian asterisk astonish astonishingly astound astride asymmetric asymptotic asynchrony athabascan atheist atlanta
  atonally atrophic atrophied attest attic attire attorney audacity audible audit auditorium aug augment august aunt
  aurally aureomycin austere austin authentic authoritarian authoritative auto autofluorescence automate automotive
  autonomic autumn auxiliary avenge avert avocado await awake awaken awe awestruck awfully awkward awkwardly awry axial
  babble babe bachelor backbend backbone backer backstage backstitch backwoods backyard bacon bacterial badge badger
  baffle bait bald bale balk balkanize ballad balloon ballot ballplayer ballroom baltimore balustrade ban banana bandage
  bandit bang banish banister banker bankrupt bankruptcy banner banquet banshee banter baptist baptize barb barbaric
  barbecue barbell barefoot bargain barge barley barn barnyard baronial barrage barren barricade barrier bartender
  basement bash basin bask basophilic bass bastard baste bathrobe bathroom bathtub baton battalion battery battlefield
  bavaria bawl bayonet beachhead bead beak beard bearer beast beaten beautifully beckon bedraggled bedroom beebread
  beech befall befuddle beg beget beguile behalf behold belabor belch belgian belie belligerent bellow belly beloved
  belowground bemoan bench beneficial beneficiary bequest berate bereavement berlin bern berth beseech beset besides
  besiege besmirch bespectacled bestow bethink betray betrayal bevel bevy beware bewhiskered bewilder bewitch bible
  biblical bibliography biceps bicker bicycle bigger biggest billion billow bin binomial bioassay biography biomedicine
  biopsy birdie birefringence birmingham birthday biscuit bitterly bizarre blackberry blackboard blacken blackmailer
  blackout blame blanch bland blandly blank blanket blare blaspheme blast blatant blaze bleach bleak bleakly bleat bleed
  blend bless blight blindly blink blissfully blister blithe bloat blob blockade blond bloodhound bloodshed bloodstream
  bloody blossom blot blower bludgeon bluff blunder blunt blur blush bluster boast boatswain bob bodybuilder bog bogey
  bogus bold boldly bolster bomber bombproof bombus bonfire bonnet bookcase booker bookshelf boom boon boost booth
  bootlegger boredom borough bosom boston bother bough bounce bouquet bourbon bout bovine boxcar boycott boyhood boyish
  brace brackish brag braid brake bramble brand brandish brandy brass bravado brave brazen brazilian breach breadth
  breakdown breakfast breakthrough breakup breakwater breathless breathlessly breeze brevity bribe brick bricklaying
  bride bridle briefcase briefly brier brigade brigadier brilliance brilliantly brindle brisk briskly bristle brittle
  broaden broadway broil bronc bronchial bronchiole bronchus bronze brood brook brooklyn broom brothel brotherhood brow
  bruise brushy brutal brute buck buckboard bucket buckle buckskin buddha buddhist buddy budge budget buff buffalo
  buffer buffet buggy bugle builder buildup bulge bulk bulky bull bulletin bully bum bumblebee bump bunch bundle bunk
  bunker bunkmate buoyant burden bureau bureaucracy bureaucratic burgeon burglary burial buried burly burma burr busboy
  bushel bushwhack busily businessman bust bustle butt buzz bw bygone bypass cab cabana cabin cabinet cackle cadenza
  cadre cafe cafeteria cage calamity calf caliber calibrate caller callous calloused calm calmly calumniate calving
  camper campfire campus cancel candle cane cannon canon canonist canteen canter canvas canvass canyon capacitor cape
  capillary capitalist capsule captain captivate carbine carcass carefree careless caress cargo carnal carpenter
  carpentry carping carrier cart cartoon cartoonist cartridge cartwheel carven castigate castle castroism catalog
  catalogue catapult catastrophe catcall catcher categorize cater catharsis cathedral catheter cathode catholicism
  catkin cattleman causal caution cautious cautiously cavalry cavalryman cave cavern cavort cc cease ceaseless ceiling
  cellar cellulose cement cemetery cent centerfield centimeter centrifugation certainly certainty certificate certified
  ceylon chafe chagrin chairman chambermaid champagne champion championship chandelier chant chaos chaotic chapel
  chapter charcoal charger charitable charity chart charter chase chat chatter cheap cheat checkbook checklist cheer
  cheerfully cheery cherish cheyenne chicago chick chide chieftain childhood childish childishly childlike chill chilly
  chimney chin chinless chip chiropractor chisel chloride chlorine chlorothiazide chock choir choke cholesterol choose
  chord chore choreograph choreography chorine chortle chorus chosen chromatographic chromatography chrome chromium
  chuck chuckle chunk churchgoing churchyard churn chute cigar cinch cincinnati cinematic cipher circumscribe circus
  citation cite civic civilian clad claimant clam clamber clammy clamor clamp clamshell clang clangor clank clannish
  clap clarify clarity clash clasp classroom clatter cleaner cleanly cleanse cleft clench clergy clergyman cleric clerk
  cleveland clever cliche click client cliff climax clinch cling clinical clip clobber clod clog closer closet closeup
  clot clotheshorse clown clubhouse cluck clue clump clumsy clutch cluttered cm coach coalesce coax cock cockpit cocky
  coconut coddle codification coefficient coerce coexist coffin cohere cohesion coincide coldly collaborate collage
  collar colleague collector collision colloidal collusion colonel colossal colt columbus comb comeback comedian comedy
  comic commando commemorate commence commend commensurate commentary commerce commiserate commissioner committeeman
  commonplace commonsense commonwealth commotion communion commutation companion comparison compassionate compatible
  compel competitor compile complain complaint complement complicate compliment comply compost composure comprehend
  comprehension compromise compulsion comrade con concave concede conceivable conceptual concert concerto concession
  concessionaire concierge conciliate concise conclude concord concretistic concur concurrence concussion condensation
  condescending condescension confederacy confederate confess confidential configuration confirm confiscate confound
  confront congeal congested congratulate congregate congress congressional congressman conjecture conjoin conjugal
  conjunction connecticut connoisseur connotation conquer conquest conscience conscientious conscript consecutive
  consensus consent conservatism consign consolation consolidate consonantal consort conspicuous conspiracy conspirator
  constantly consternation constrained constrict construe consult consummate consumption contaminate contemplate
  contemporaries contemptuous contend context continental contingency continuum contortion contour contraception
  contractor contractual contradict contrary contributor contributory contrivance controversial convection convene
  convenience conventionalize convex conveyor convince convincingly convulse coolant coolly coop cop cope copenhagen
  coquette corduroy core coroner corps corpse corral correctly correlate corridor corroborate cortical corticofugal
  cosmetics cosmic cosmos cosponsor costly costume cottage couch cough counsel counselor countenance counteract
  counterattack counterbalance counterpart counterpoint countless countryman countryside coup coupon courtesy courtier
  courtyard cousin coverage covertly covet coward cowardice cowardly cowboy cowled coyness cozy cps cr crackle cradle
  craftsman crane crash crave crawl craze crazily crazy creak crease creative creator creature credible credo creed
  creek crescendo crib crimson cringe cripple crisis crisp crisscross criterion criticise croak crook croon crossroad
  crouch crow crucial crucify crude crudity cruel cruelty cruise crumble crummy crumple crunch crusade crusher crutch
  cryptic cuba cuban cube cubism cubist cuddle culminate cult cultist cumbersome cumulative cunning cupboard curb
  curbside curio curiosity curious curiously curly curriculum curse curtail curtain cushion cuss custodial customarily
  customary cute cyclist cynic cyst cytoplasm czechoslovakia dab dabble dad daddy dainty dallas dam damn damnation damp
  dampen dangle danish dapper dare darken darling darn dart dash datum dawn daylight dazed dazzle dc deacon deaden
  deadline deadlock deadly deaf dealer dear dearly deathbed deathlike debate debilitate debility debris debut dec decade
  deceased decedent deceive decelerate december decency decent deceptive decidedly declaim decompose decomposition
  decree decrement decry dedicate deduce deduct deed deem deepen default defer defiance defiant deformation defraud
  defray defy degenerate degradation dejected delegate delicacy delicious delight delightfully delirium deltoid
  demarcate demeanor democracy democrat demolish demon demur demythologization denial denmark denomination denounce
  density dent dental dentist denunciation denver departure depict depleted deplorable deploy deportee depose deprave
  deprecatory depreciation depredation deputy deranged dereliction deride derision desecrate desk desolate despair
  despatch desperate despise despoil despondency despotism dessert destination destiny detach detector detergency
  deteriorate detest detonate detroit devastate developmental deviate devil devise devotee dew dexamethasone dexterous
  dextrous diabetes diagnose diagnosis diagonal diagonalizable diagram dial dialogue dialysis dialyze diam diameter
  diaphragm diaphyseal diarrhea diarrhoea diary diatom dice dickens dictate dictatorship dictionary dictum dietary
  diethylstilbestrol differentiable diffident diffuse dignified dignity dilapidated dilate dilemma diligence dilute dim
  dime dimethylglyoxime diminish diminution dimly din dingy dinnertime diplomacy dipole dipper dirge dirt disability
  disabuse disadvantage disagreement disappear disappoint disapproval disarm disassemble disaster disastrous disband
  disbelief disc discard discern disclose discomfort disconcerted disconnect discontent discontinuance discount
  discourage discourse discovery discredit discrepancy discrete discriminate disdain disenfranchise disengage
  disentangle disgrace disguise disgust dishearten dishonor disintegrate disinterest dislocation dislodge disloyalty
  dismal dismay dismiss dismount disobedience disobey disorderly disorganized disparate dispassionate dispatch dispel
  dispensation dispersal displace displeasure dispossessed disproportionate disqualified disregard disrepair disrupt
  dissatisfaction dissatisfied dissect disseminate dissent dissipate dissociation dissuade distal distaste distinctly
  distort distract distributor distrust ditch divan diverge diversified divert divestiture dividend divorce dizzy docile
  dock doctrinaire documentary dodge doggedly dogma dogmatic doleful domain dominion don donate donor doom doorman
  doorway dooryard dope dormant dormitory dosage dose dot doubtless dove downfall downgrade downpour downright
  downstairs downtown downtrodden downwind dowry doze dozen drab drag dragon drainage dramatist drape drapery drastic
  draught drawer drawl dread dreamy drearily dreary dregs drenched dressy dribble drift drip driveway drizzle drone
  droplet drought drown drowsiness drugstore drunk drunkard drunken drunkenly drygoods dual dub dubious duel duffer
  dugout dully duly dumb dumbbell dump dun dung dungeon duplicable durability dusk dusky dusty dwarf dweller dwindle
  dying dynamic dynamite eager eagerly earliest earnest earnestly earthman earthy easel easter eastward eccentric
  ecclesiastical echo eclectic eclipse ecliptic economist ecstasy ecstatic edema edgy edifice edify editor editorial eeg
  efface effectually efficacious effluent egalitarianism ego egotism egotist eighteen eighteenth eighth eighty ejaculate
  eject elapse elate elbow elder elderly eldest elector electrocardiograph electrode electroshock electrostatic
  elementary elephant eleven eleventh elfin elicit eligible elite ellipsoid eloquent elsewhere eluate elude elusive
  elute emaciated emanate emancipate embankment embark embed embezzle emblem emblematic embodied embolden embrace
  embroider emigrate eminence emission emotionalism emphasis emphatic emphysema emulate enact enamel encamp enchant
  enclosure encompass encounter encourage encroach endanger endear endeavor endless endlessly endorse endow energetic
  enervate engender englishman engross engulf enhance enigmatic enjoin enjoyable enlightened enlist enliven enmesh
  enormity enrage enrich enrol ensemble ensue ensure entail entangled enthalpy enthusiasm enthusiast entirety entitle
  entrepreneur entropy entrust entry enunciate envisage envision envy epic epicenter epidemic epiphany epiphyseal
  epiphysis episode epithet epitome epoch equilibrate equilibrium equitable era eradicate erase erode erotic err errand
  erratic erudite escalation escheat eschew escort escritoire espouse essay essence esteem esthetic estranged etcetera
  eternal ethereal ethos eulogize evacuate evade evangelical evaporate evasive eve eventual ever everlasting
  everlastingly everyday everywhere evoke evolution evolve ex exacerbate exactly exalt exasperate excavation exceed
  exceedingly exceptionally excitatory excitedly exclaim exclamation exclude excommunicate excuse executioner executor
  exemplify exempt exhale exhortation existential exotic expectantly expedite expel expend expenditure experiential
  experimental expertise expiration explicit explode exploit export exposition expound expressionless exquisite
  extenuate exterior exterminate extinguish extirpate extraneous extraordinary extrapolate extraterrestrial extravagant
  extricate exuberant exultant eyebrow eyed eyelid eyesight fabled facade facet facetious facilitate faction faculty
  fade faint faintly fairly fairway fairy fairytale faithfully fake falcon falloff fallout falsify falsity falter fame
  fanaticism fanciful fantastic fantasy faraway farce fare farewell farmer farmhouse farther fascinate fascism fastball
  faster fastidious fate fathom fatigue fatten favorite fearfully feasibility feast feat feb february fecund feeble
  feedback feedlot feline fella fellow fellowship feminine ferocious ferromagnetic fervent festival fetch fete feverish
  feverishly fewer fiat fibrin fibrosis fidget fiend fierce fiery fifteen fifteenth fifth fifties fig fighter filter
  filthy finest fingerprint fingertip finite firearm firecracker firelight fireplace firework firsthand fiscal fisherman
  fist fistfight flail flair flank flannel flap flare flash flashlight flashy flask flatly flatter flattery flatus
  flaunt flautist flaw flawless fleck fledgling flee fleet flick flicker flimsy flinch fling flip floc flocculate flock
  flood flop florist flounder flourish flout flu fluoresce fluorescein fluoride flurry flush flutter flux foam foamy
  focal foe fog foil folklore folksy folly fond fondly fool foolish footstep forbid forbidden forecast foreclose
  forefinger forego foreground forehead foreman foremost forerunner foresee forestall forever forfeit forge forget
  forgive forgotten fork forlorn formidable formula formulate forsake fort forthright forties fortified fortitude
  fortress foster foundation founder fountain fourteen fox foyer fracas fraction fragile fragmentary frail framework
  franchise frank frankly frantic fraternity fraud freak freed freehand freeman freeway freewheeler freight frenchman
  frenzied frenziedly freshman fret friable friction friday friendship frieze fright frighten frigid frivolous frolic
  frontage frontier frost frostbitten froth frown frozen fruitless frustrate fry fulfil fullback fumble fume fun funeral
  funnel funny furious furiously furlough furor furrow furthermore furtive fury fusion fuss futile fuzz fuzzy gabble
  gadfly gadget gag gage gaiety gaily galaxy gallant gallon gallop galvanic gamut gang gangster gap gape garage garb
  garbage garrison gasp gassing gastrocnemius gastrointestinal gatepost gaudy gauge gaunt gauss gay gaze gee gelding
  gender generalist genesis genial genius gentile gentle gentleman gently genuine geologist geometric geometry georgia
  germanium germinal gerundial gesticulate ghastly ghetto ghost ghoul gigantic giggle gild gilt gingerly gingham ginmill
  girlfriend girlish girlishly glad glamor glance glare glassy glaze gleam glean glee gleeful glibly glide glimpse glint
  glisten glitter globe globulin glomerular gloom gloomily gloomy glorified glorious glory glossary glottochronological
  glove glow glower glue glued glycerine glycerol gm gnash gnaw gnp goad goat gobble goddam goddamn goitre goitrogen
  golfer gone goner goose gospel gossip gouge gourmet governmental governor gown grab gracefully gracious gradient
  grandeur grandfather grandma grandmother granite granny granular grapevine graph graphite grapple grasp grasshopper
  grate gratification gratified gratitude gratuitous grave gravel graveyard gravid gray graze grease greasy greatcoat
  greatly greedily greenland gregarious grenade grief grievance grill grim grimace grimly grimy grin grip groan grocer
  groom grope gross grotesque grove grovel growl grownup grub grudge gruesome gruff grumble grunt guam guardian
  guerrilla guess guidance guilt guilty guitar gull gulp gunfire gunman gunner gunpowder gush gust gut gutter guy gym
  gymnast gyrate habitat hack haggard haggle hail haircut halfback halfway hallmark hallway halo halogen halt ham hamper
  handbag handicap handkerchief handmade handsome handspike handstand handwriting handy hanker happily harangue harass
  harbor hardly hardship hardtack hardware harlem harness harp harrow harshly harvard harvest haste hasten hastily hatch
  hatchway hate hatless hatred haul haunch haunt haversack havoc hawaii hawaiian hawk hazard haze headache headland
  headless headlight headline headlong headmaster headquarters headstand headwaters heal heap heartbeat heartening
  hearth heartily heave heaven heaver hebephrenic hedge heed heedless hegel hegelian heighten heir helium hell hellenic
  helm helper helpfully helpless helplessly hem hemoglobin hemorrhage hemosiderin hen hence henceforth herald herculean
  herd hereafter hereby hereinafter heretofore heritage heroic heroine heroism herpetologist hesitancy hesitantly
  heterogeneous heterozygous heyday hibernate hidden hideous hideout hierarchy highlight highroad highway highwayman
  hijack hike hilar hilarious hillock hillside hilum hinder hint hip hiss historian hitch hither hitherto hitler hitter
  hive hoarse hobble hobby holiday holler hollyhock hollywood holmes holocaust holster homeland homer homesick
  homesteader homicidal homogenate homosexual homozygous honest honestly honesty honey honeybee honeymoon honolulu
  honour hoof hoop hoot hop hopefully hopeless hopelessly horde horizon horrible horrified horror horseback horseman
  hostess hound housebreaker household housekeeping housewife houston hover however howl hp hr hub huckster huddle
  hudson hue hued hug hulk hum humanist humble humiliate humility humorist hunch hungary hunger hungry hunter hurdle
  hurl hurler hurricane hurried hurt hurtle hush husky hustle hut hutment hyaline hydride hydrocarbon hydrophilic
  hydrophobic hymn hyperbolic hyperemia hyperemic hypertrophied hypocrisy hypocrite hypothalamic hypothalamus hypothesis
  hypothesize hypothetical hysteria hysterical icbm icebox iceland icy idealist identification ideology idiom
  idiosyncrasy idiot idle idler idly idol idyllic ignite iliad illinois illiterate illusion illustrate illustrious
  imagery imbecile imbed immature immediacy immense immerse immigrant imminence immoral immortal impact impale impart
  impassable impatience impeccable impede impel impending imperative imperfect imperfectly impersonal impetuous impinge
  impious implacable implicated implicit implied implike implore imposition impotence impractical imprecate
  impressionist imprint imprison impromptu improvise impudent impute inaccurate inadvertence inappropriate inaudible
  inaugural incarnate incense incentive inception incidence incidental incipience incite inclusive incompatibility
  incompetence incomplete incomprehensible inconsequential inconsistent inconvenience increasingly incredible incubate
  inculcate incur indebted indecent indecision indeed indefinable indelible index indiana indianapolis indict
  indifference indignant indirect indirectly indiscriminate indispensable individualist indolence indoor induct inept
  inert inescapable inevitability inexorable inexpensive inexperience inexperienced inexplicable infamous infancy
  infantile infantry infantryman infatuation infer inferential infernal infidelity infield infiltrate infinite infirm
  inflame inflect influent influential infrared infrequent infuriate ingenious ingest ingredient inherent inhibitory
  inhuman injustice inlet inmate inn innovate inoculation inorganic input inquire inquiry insane inscribe inscription
  inscrutability insidiously insight insignificance insinuation insist insofar insolence insoluble inspect inspector
  instability instant instantly instigate instinct institutionalize instructor insufficient insulate insulin insult
  insurrection intact intake integer intellect intensification intensify inter intercept interchange intercontinental
  interdependence interface interfere interfering interferometer interim interject interlace interlayer interlobular
  interlock interlude interminable intermittent internationally interplay interpose interrelated interrogation
  interspecies interstellar interstitial intertwine intervene intervention interview interweave interwoven intima
  intimal intimidate intolerable intonation intra intractable intrenchment intricate intrigue intrinsic introduction
  introductory introject intrude intrusion intuition inure invalid invariable invasion inventory inverse invert investor
  inveterate invisible invoke invulnerability inwardly iodide iodinate ionic ionized iraq irishman irony irrational
  irregularly irrelevant irreparable irreproducibility irresolute irresponsibility irrigate ism isopleth isotonic
  isotropic itch ivory jab jabber jackass jade jagged jail jam jan jangle janitor january jap jar jaunty java jealous
  jealousy jeep jeer jejunum jeopardize jeopardy jerk jerky jerusalem jest jesuit jet jewel jilt jimdandy jimhickey
  jingle jockey jocular johnny jointly jolly jolt journal journalese journalist journey jovial jowl joy joyous jubilant
  juicy july jumble junction june jungle junior junk jupiter jurisdiction jurisprudence juror jury justifiably
  justification justly jutting juxtapose keen keenly ken kentucky kerygma ketosis keyboard keyhole keynote kickoff kid
  kidnap kidnapper killer kinda kindly kindred kinesthetic kinetic kinship kiss kit kitchenette kitten knack knapsack
  kneel knight knob knuckle korea korean lab label laboratory lace lacerate lactating lacy lad ladder laden lady lag
  lagoon laity lam lamb lament lamplight lance landlord landmark landmass landslide lane languid lanky lantern lao lap
  lapse lash lat latch latent latest lather latitude latter laughter laurels lavatory lavender lavish lavishly lawman
  lax layman layoff layout lazily lazy lb leaden leadership leak leapfrog lease leash leavened ledger leer leftfield
  lefty legation legend legendary legislature legitimate leisure lemma lend lengthen lengthy lesion lessen lesser lesson
  lest lethal lethargy letterman levis lexical lexicon lexicostatistic leyte liability liable liaison liar liberty
  license lick lid lieutenant lifeless lifelike lifetime lifter lightning lightweight lignite likelihood likewise lilac
  limp lineage linearly linen linger lingual lint lion lionize lipstick litigant litter livid loaf loathe loathsome
  lobby lobscuse lobular lobule locker lockup locust lodge loft lofty logistic lone loneliness longhand lookup loom loon
  loophole loosen loot lord lordship lore loser loudly louisiana lounge louse lousiness loveliness lowly loyal loyalty
  lucid lucifer luck lucky lug luggage lukewarm lull lumber luminescence luminous lump lunar lunatic lunch lunkhead
  lurch lure lurid lurk lust luster lusty luxurious lyric lyricist machinery machinist mad maddened madly madman maggot
  magic magician magnificence magnified mahogany maid maiden mailbox maimed mainland maintenance majestic malady malaise
  malaria malinger mama mamma mammalian manchester mandate mandatory maneuver manhattan manhood mania maniac manic
  manifold manipulate mankind manometer manpower mantel manure manuscript manzanita maple mar marble marbleized mare
  marital markedly marketplace marksman marksmanship maroon marrow marshal martian martini martyr marvel marxist
  masculine mask masonry masquerade massachuset massachusetts massage masseur massive masterpiece mastery mate
  matriculate mauve maxim maybe mayor maze mc meadow meager meander meaningful meaningless meanwhile medal meddle
  meditate meek meekly melancholy melee melodious melon membership memorable memorandum memphis menace menarche mend
  mention meq mercenary merchant merciful mercifully merciless mercurial mere merge merger merit merrily merriment merry
  mesh mess messenger metaphor metaphysical meteor meteorite meticulously metropolis metropolitan mg micelle michigan
  micrometeorite micron microphone microsecond microwave mid midnight midshipman midst midway midwestern mighty migrate
  mildly milestone militant militia mill millennium milliampere millidegree milligram milliliter milquetoast mimesis
  mimetic min mince mindless mingle miniature minimal minimum ministry minneapolis minnesota miracle miraculous
  misbehavior miscalculate miscellaneous mischief mischievous misconception misconstruction misconstrue misdeed
  miserable misery misfortune misgiving misinterpret misjudge mislead mismanage misplace misrepresent mission missionary
  mist mistaken mistakenly mister mistress mistrust misunderstand misuse mite mitigate mittens ml mm moan mob mobile
  moblike mock modal mode modest modestly modesty modification modulation moisten molal molecular molest molten
  momentarily momentary momentum mommy monarch monastic monday moneymaker monitor monk monocle monologue monopolization
  monopoly monosyllable monotone monotony monsoon monster monstrosity monstrous monthly montreal monument moonlight mop
  moralist moreover moroccan morocco morose morphologic morphophonemic morrow morsel mortal mortar mortgage mosaic
  moscow mosquito motif motionless mottle motto mound mountainside mourn mourner mournfully mouse mouthpiece mover mph
  mucosa mucus muddied muffle muffler mulch mule multi multiplied mumble munch mundane municipal murky murmur muse
  museum musicianship musket musketry mustache muster mute mutilate mutiny mutter mutton muzzle myocardial myofibrilla
  myriad myrrh mysterious mystic mystique myth nab nadir nag naive naked napoleon narrative narrowly nasty nationalistic
  nationwide nausea navel navy nay nazi nearby nearer nearest neat neatly necessarily necessitate necessity necktie
  necrosis nectar needless neglect negligence negro neighborhood neither nemesis neo neocortex neocortical nephew
  nervously nestle neuropsychiatric neurosis neurotic neutralist neutrophil nevertheless newborn newcomer newly newport
  newsboy newsletter newsman newtonian nice niche nickel nickname nigger nightclub nightfall nightingale nightmare
  nilpotent nimble nine nineteen nineteenth nineties ninth nip nobility noble nociceptive nod noisemaker noisy nomia
  nominal nonequivalence nonetheless nonexistent nonfiction nonlinguistic nonmetallic nonparty nonresident nonsense
  nonspecific nonverbal noon norm northeast northward nostalgia nostrils notable notation notch notebook noteworthy
  notify notion notorious nourish nov novelty november nowhere nowise nozzle nuance nucleolus nude nudge nuisance numb
  nun nursery nutrient nutritional nymph nymphomaniac oath obedience obey objectification oblique obliterate oblivious
  obnoxious obscene obsequious obsess obstacle obstinately obvious obviously occasional occlude occlusion oct october
  oddly offend offset ogle ohio oilfield oily okay oklahoma oldster oleophilic olympic omen ominous omission omit
  onboard onetime onlooker onrush onset onshore onslaught onward opaque openly openmouthed operatic operetta opium
  oppress optimal optimistic optimum opus oration oratorical orb orchard orchestra orchestral ordain ordeal orderliness
  ordinarily oregon organification organizational orgy orifice ornate ornery orthographic orthography oscillation
  osseous ossification otherwise ought ounce oust outburst outcast outclass outcry outdistance outdo outface outfield
  outfit outgoing outgrow outlaw outlet outlive outlook outmode outnumber outpost outrage outreach outright outrun
  outset outskirt outsmart outstandingly outweigh overachievement overall overbearing overboard overcast overcoat
  overdone overemphasize overestimate overflow overhang overhaul overhead overhear overlap overload overlook overnight
  overpayment overpower overprotection overreach override overrun overseas overshoot oversimplified oversized overtake
  overthrow overture overturn overwhelm overwhelmingly owe owl oxen oxidise oxytetracycline oyabun ozone pa pacify
  packet padlock paean pagan pail painfully palace palestine palette pallid pallor palpable pamper pamphlet pane panel
  panic pansy pant panther pantomime papa par parable parachute parade paradigm paradise paradox paragraph paralyze
  paramagnet parameter parametric paramount paranoid paraphrase parasympathetic parcel parch pardner pardon pare
  parenchyma parenthood parimutuel parish parisian parliament parliamentary parlor parochial parody parrot parson
  particularly particulate partition partly partnership passageway passerby passion passive pastel pastor pasture pasty
  pat patent pathetic pathogenic pathologist pathway patience patriot patristic patrol patrolman patron patronage
  patronne patter pause paved pavement paw payable payday pbs peaceable peacefully peacock peal pear pearl peasant
  pebble peck pecs pectoral peculiar peculiarly peddle peddler pedigree peek peel peer peg pegboard pelt pelvic pen
  penalize penalty penance pencil pending pennant pennsylvania penny pension pentagon peony percent percentage
  perceptual perch perchance percussion peremptory perfectly perfunctorily perhaps peril peripheral periphery perish
  perky permeate perpetrate perpetual perplexed persecute personify perspective perspiration pertinence perturb perusal
  pervade pervasive perverse pessimist pester pet petite petitioner ph phalanx phantom pharmacy pheasant phenothiazine
  philadelphia phone phoneme phonetic phonologic phony phosphate photo physiognomy physique pianist picasso picket
  pickup picnic pictorial picturesque pie piezoelectric pig pigeon pilfer pilgrimage pill pillow pimp pinch pinpoint
  pirate pistol pit pitchfork piteous pitiful pitiless pittsburgh pituitary placement placid plague plainclothesman
  plainly planar planetary plank planner plantation planter plaque plasma platinum plato platonic platonist platoon
  plausible playmate playwright plead pleasant pleasantly pledge plentiful pleura pleural plight plod plow plowshare
  pluck plug plum plumb plumber plump plunder plunge plunk pm poach poetic poignant poise poke policeman poll pollen
  polluted polybutene polycrystalline polyethylene polymerization polynomial polyphosphate pompous pompously poncho pond
  ponder pony poorly pop poppy populace popularly porch pore pork porous portable portal portentous porter portfolio
  portrait portray portrayal portwatcher pose positivism positivist posse posseman possum posterior postpone postulate
  posture postwar potassium potency potent pothole potter pottery poultry pounce poverty powdery powerfully practise
  pragmatic prairie prance prattle pray pre preach preacher prearrange precarious precaution precious preclude
  precondition predecessor predicator prednisone predominance predominantly preexistence preface preferential pregnant
  prejudice preliminary preliterate premise premium premix premonition preoccupation preoccupied preposition
  preposterous prescription presidential prestige presto presumably presumption presuppose presupposition pretence
  pretend pretense prettiness prevail prevalence previously prevision prewar priceless prick pride primate prime
  primeval priority privacy privilege privy pro probe proceed proclaim proclamation procrastinate procreation procure
  prod prodigal prodigious profane professedly professor proffer proficiency profile profound profoundly profundity
  profuse progressivism prohibit projectile proliferation prompt promptly promulgate prone pronoun prop propaganda
  propagandist propagation properly prophecy proportionality proprietor proprietorship proscribe prose prosecute
  prosecutor prospect prosper prostitute prostrate protease proteolysis protestantism proto protogeometric prototype
  protozoa protrude proud proudly proverb provincial provision provisional provocation provoke prowess prowl proximal
  pry pseudo pseudophloem psithyrus psyche psychiatrist psychic psychologist psychopath psychotherapy pubescent publicly
  pucker puff pulley pulmonary pulpit pulsate pulse pulverize punch puncher puncture pupate pupil puppy purge
  purification purified purity purl purport purse pursuant pursuer pursuit pushup pussy putt puzzle pyknotic pyrex
  pyrometer python quack quackery quadruple quaint quake qualification qualitative quantitative quantum quarrel quart
  quarterback quasi quaver queer quell querulous query questionnaire quicken quietly quill quilt quirk quirt quiver
  quixotic quiz quotation quote rabbi rabbit racial rack racket radar radial radiance radiant radiochlorine radish
  radius raft rafter rag rage raid railway rainbow rake rally ram ramble ramp rampart ramrod ranch rancher randomly
  ransack ransom rap rape rapture rasp ratify rationale rattle rattler rattlesnake raucous razor react reactant
  reactionary reactivate reader readjust reaffirm reagent realism realist realization realm reap reappear rearrange
  rearward reassemble reassert reassurance reb rebel rebellion rebellious rebuff rebuild rebuke rebut recall recapture
  recede receipt reception receptionist recess recipient recital reckless reckon reclaim reclassify reclining
  recognizable recoil recollect recommend reconcile reconsider reconstruct reconvene recount recourse recover recovery
  recreate recrimination recruit rectifier recur recurrence redcoat redeem redefinition redeposition redheaded
  rediscover redistribute redouble redoubtable redress reduction redundancy reek reel reelect reenact reenforce
  reevaluate reexamine reflector reflexly refrain refreshed refrigerated refuel refugee refund refute regain regal
  regardless regime regiment registrant regret rehabilitate rehearsal reimburse rein reinforce reinterpret reissue
  reiterate rejoice rejoin relay relegate relent relentless relentlessly relevance reliability reliance relic relinquish
  relish relive reload reluctant reluctantly remainder remake remand remedial remembrance remind reminisce remnant
  remodel remonstrance remorse renaissance rename rend rendezvous rendition renew reopen reorganize repay repayable
  repeal repeatedly repel repent repertory repetitious replenish reportedly repose repository repress reprimand reprint
  reprisal reproach reprobate republican repudiate repulse requisition reread rescind rescue resent reservoir
  residential residual resign resistor resolve resonance resorcinol resound respite restate restive restless restlessly
  restrain resume resuspend retail retaliate retard retention rethink reticulate retinal retort retrace retract retreat
  retribution retrieve retrospect reunion reunite revamp revel revenge revenue reverberate revere reverie revert review
  revise revival revolt revulsion reward rewrite rh rheumatism rhino rhinotracheitis rhubarb rhyme rhythmic ribbon
  richmond rid ridden riddle rider ridicule rifle rifleman rig rigger rightfield rightfully rightly rigidly rigor rim
  rinse riotous rip ripe ripen ripple rite rival riverbank rivet roadside roadway roam roar rob robber robbery robe
  robust rocklike rodeo roiling roleplay romance romanticism romp rooftop rookie rooster roster rosy rot rotor roughly
  roundabout roundhouse roundup rouse rousseau routine rove rowdy royalty rpm rude rudimentary ruefully ruffle rug ruin
  rumanian rumble rummage rumor runaway runoff rural rustic rustle rustler rusty rut ruthless sable sabotage sack
  sacrifice sacrilege saddlebag sadism sadly safeguard sag saga sage sailor sake salacious salary saleslady salesman
  salesmanship salient saline saliva salon saloon salty salute salvage salvation salve salvo sample sanction sanctity
  sandal sandwich sandy sane sanitation sap sarcasm sarcastic sardine sash satellite satire satisfaction satisfactorily
  satisfactory saturate saturday saturn savage savannah savor scaffold scamper scan scandal scant scar scarce scare
  scarf scavenger scenery scenic schematic schizophrenic scholar scholarly scholarship scholastic schoolboy schooldays
  schoolgirl schoolhouse schoolmate schoolroom sciatica scimitar scoff scoffing scold scoot scorch scoreless scorn
  scornfully scot scour scout scowl scramble scrap scrape scratch scratchiness scrawl scrawny scream screech scribe
  scrimmage script scriptural scrub scrutinize scrutiny scuffle sculptor scurry scuttle seafarer seam seaman sear
  searchlight seattle sec secede seclude secondarily secondhand secondly secrecy secretly sector secular sedan sediment
  seduction seedbed seemingly seep segregate seismograph seizure seldom selfish semantic semi semiliterate seminary
  senate senior senseless sensibility sensor sensual sentiment sept september septic septum serenade serene sergeant
  serial seriously sermon serpent serratus serum servant session setback settlement settler setup seventeen seventeenth
  seventh sewage sewer shabby shackle shadow shake shaken sham shamble shame shapeless sharpen shatter shave shawl shear
  sheath sheeplike sheer shelf shenanigan shepherd sheriff sherry shibboleth shield shimmy shin shipment shirk
  shirtsleeve shit shiver shod shortage shorten shortly shortsighted shortstop shotgun shout shove shovel showcase
  showdown shower shrapnel shred shrewd shriek shrill shrilly shrink shrubbery shrug shudder shuffle shun shunt shut
  shutdown shutter shuttle shy siberia sic sicilian sicken sidelong sidestep sidewalk sidewise sidle siege sift sigh
  sightseeing signature significantly signify silence silent silhouette sill silly silo similarly similitude simmer
  simplicity simplified simplistic simply simulate sincere sinewy singsong singular sinister sink sinner sinusoid sioux
  sip sir sire sixteen sixteenth sixth sixties sizable sizzle skedaddle skeletal skeptic sketch skid skiff skillfully
  skim skinny skip skirmish skulk skylight slab slack slacken slam slant slap slash slat slate slaughter slavery slavic
  sleepy sleeve slick slicker slightest slim sling slink slipper slippery slit slob sloe slogan slop sloppy slot
  slovenliness sludge slug slugger sluggish sluice slum slumber slump smack smallest smart smash smear smite smitten
  smokehouse smolder smoothly smother smudged smug smuggle smuggler snag snail snap snare snarl snatch sneak sneaker
  sneer snicker sniff sniper snore snort snowball snub snuggle snugly soak soar sob sober soberly sociability socialist
  socioeconomic sociological sock sod sodden sofa soften softly solace solder soldiery solemn solemnly solicit
  solicitude solidarity solidly soloist somatic somber someday somehow somersault somewhere somnolent sonar songwriter
  sonny sonority sooner soothe soothingly sophisticate sophomore soprano sorb sordid sore sorority sorption sorry sort
  soundtrack sourdough southpaw southward sow spacious spaciousness spade span spare spark sparkle sparse spatter spear
  specialty specimen speck spectacle spectacular spectacularly spectator specter spectral spectrometer spectroscopy
  spectrum speculate speedily speedy spellbound spherical spill spire spit spite splash splatter spleen splendid
  splendor splice splinter splutter spoil sponge spongy sponsor sponsorship spoon sporadic sportsman spotless spotlight
  spouse spout sprawl spray spree springfield springtime sprinkle sprinter sprout spur spurn sputnik sputter spy squad
  squadron squall squash squat squawk squeak squeal squeeze squint squire squirm squirrel stab stability stack stadium
  stagger staggeringly stagnant stair staircase stairway stake stall staminate stammer stampede standpoint stare startle
  starvation starve static stationery stature statute statutory staunch stead steadfastly steadily steak steal
  stealthily steeple steer stepmother stepwise stereo stereotype sterile stern steroid stethoscope sticky stiffen
  stiffly stifle stilt sting stink stipulate stir stirrup stockholder stoic stoicism stolid stolidly stomp stool stoop
  storefront storehouse stormy storyline storyteller stoutly stove stow straddle straggle straggler straightaway
  straighten straightforward strait strand stranger strangle strategic strategy stratified stratum stravinsky straw
  stray streak streamlined streetcar streetlight strew strewn striation stricken strict strictly stride strife
  strikingly strive stroll strop strum strut strychnine stubborn stubbornly stucco stud studio studiously stuff stuffy
  stumble stump stun stung stunt stupendous stupid stupidly stupor sturdy stutter stylist stylization suave subconscious
  subdivision subdue subgross subjectivist subjugate sublime submarine submerge submission submit submucosa subscribe
  subscription subsection subsequent subside subsist subspace subspecies substantial substrate subsystem subtend subtle
  subtlety subtract suburb suburban suburbanite subway succeed succeeding successfully successor succor succumb suds sue
  suffice suffix suffocate suffuse suicide suitcase sulkily sulky sullen sullenly sultry summarization summary summate
  summon sumptuous sundown sundry sunken sunlight sunny sunray sunshade super superb superbly superimpose superintend
  superlative supernatural supersede supersonic superstition supervisor supper supplant supplement supplementary
  supplicate supplier supposedly supra supremacy surfactant surfeit surge surgeon surmise surmount surpass surplus
  surprisingly surrender surveillance survey surveyor survivor susceptibility suspicion suspicious sustain sustenance
  swagger swamp swan sward swarm swatch swathe sway swear sweat sweatshirt sweaty sweden swedish sweep sweetheart swerve
  swiftly swindle swirl swish swiss switch swivel swollen swoop symmetric symmetry sympathetic sympathize sympathy
  symphonic symphony symposium synagogue synchronism synchrony syndicate synonym syntactic syntax synthesis synthesize
  tableau tabulate tack tackle tact tactic tactile tactual taffy tag tailor tale talent tally tame tamper tangent
  tangible tangle tango tank tantalize tariff tarpaulin tattered taunt taut tavern taxi taxpayer teacart teammate
  teamster tease teat technician tedious teen teenage teeter telegram telegraph temerity temple tempo tempt temptation
  tenancy tenant tenderly tendon tenement tenor tenth tenure terminology terrace terrain terrible terrier terrific
  terrified terse testicle testify testimonial texan textile thank thanksgiving thaw theatre theme thence theologian
  theological theology theorem theoretical theorize therapeutic therapist therapy thereafter thereby therefor therefrom
  therein thereof thereto theretofore thereupon therewith thermal thermocouple thermodynamic thermometer thermometry
  thermostat thesis thicket thickly thickspread thief thieving thigh thiouracil thirst thirteen thirties thither
  thorough thoroughfare thoroughgoing thoroughly thoughtfully thoughtless thrash thresh threshold thrifty thrill thrive
  throb throng throttle thrust thud thumb thump thunder thursday thus thwart thyroglobulin thyroid thyroxine tibet
  tibetan tick tidewater tiger tighten tightly tile tilt timbre timid timidly tin tine tingle tinkle tint tiptoe tit
  titer titter toad toast toil toilet token tokyo toll tomb tomorrow ton tonal tonight topography topple torch torment
  tormentor torn torrent torso tortuous torture tory toss totter touchdown tour tourist tournament tousled towel toy
  trachea tractor trademark trader traditionalism traditionalist tragedy tragic tragicomic traitor tramp trample trance
  tranquil tranquilly transcend transcendental transcribe transducer transgress transit translucence transmutation
  transpirate transplant transpose transversally trapper traverse tray tread treason treasure treasury treetop tremble
  tremendous tremor trench trend trespass triamcinolone triangle tribal tribute trigger trill trio triple triumph
  triumphant triumphantly trivial trooper trot troublesome trough troupe trouser truculence trudge truly trundle trustee
  trustworthy tsh tsunami tub tuberculosis tuck tudor tuesday tug tuition tularemia tumble tumbler tumult tune tungsten
  tunnel turban turbinate turbulence turmoil turnover tutor tv tweed twelfth twelve twenties twentieth twice twig
  twilight twin twinge twinkle twirl twirler twitch twofold twotime typewriter typhus typify typography tyranny tyrosine
  ugliness ulcer ultimate ultracentrifugation ultrasonic ultraviolet umbrella unaccompanied unadjusted unaffected
  unaided unambiguity unanimous unasked unassisted unattractive unavailable unavoidable unaware unbearable unbroken
  uncanny uncertain uncertainly uncertainty unchangeable uncharged uncle unclean uncomfortable uncommon unconcern
  unconcernedly unconditional unconscious unconvincing uncooperative uncover undaunted undeniable undepicted
  underachievement underbrush underdeveloped underestimate underfoot underlie underline undermine underprivileged
  underscore undershirt understandingly understate understood undertake underwater underway underworld underwrite
  undesirable undeveloped undiminished undo undoubtedly undress undue unearth uneasily uneasiness uneconomical
  unemployed unemployment unendurable unequally unequivocally uneven unexpected unexpectedly unexplainable unexplored
  unfair unfamiliar unfasten unfavorable unfertile unfit unfold unforgettable unfortunate unfrozen ungainly ungodly
  unhappiness unheeded unhesitatingly unhitch unholy unhurriedly unified uniformly unimaginable unimpeachable
  unimportant unimpressed uninitiate uninterrupted unique unity unleash unlike unlimited unlined unload unlock unmarried
  unmistakable unmolested unmoved unnatural unnecessarily unnecessary unnoticed unobtainable unoccupied unofficial
  unorthodox unpaid unpaired unpopular unprecedented unpredictability unprepared unqualified unquestionably unreal
  unrealistic unreason unreconstructed unrelated unreliable unrestricted unsatisfactory unsaturated unscientific unscrew
  unscrupulous unseen unselfconscious unselfish unsmiling unsold unsolved unspeakable unstable unstained unsteadily
  unstressed unstructured unsuccessful unsuitable unsung unsympathetic untie untouched unwanted unwelcome unwillingness
  unwire unwise unwittingly update upgrade upheaval uphold upkeep uplift upraise uproar upset upstairs upstream uptake
  uptown urge urgency urgent usable useless usher ussr usurp utah utensil utility utmost utopia utopian utterly vacancy
  vacant vacate vaccinating vacuolated vacuum vague vain valet valiant valor valuation vandal vanish vanity variant
  variously vase vast vastly vatican vaudeville vector veer vehement veil velocity velour velvet velvety vendor
  venerable vengeance vent ventilate venture venus veranda verbena verge verify veritable vermont versatile vertex verve
  vest vestibule veteran veto vibrant vicinity vicious victorian video vie vientiane viewer viewpoint vigilance vile
  villain vindicate vindictive violin violinist virgin virile virtual virtuoso virtuous virulence visage viscoelastic
  viscosity visitor vivacious vivid vividly vivify vocabulary vocation vociferous vogue volatile volley voltaic voltaire
  volumetric voluminous voluntarily volunteer voluptuous vomit voter vow voyage vulgar vulnerability vulture wad wade
  wag wagon wail waist waiter wake wallet wallop wallow wallpaper wander wane ward wardrobe warehouse warily warlike
  warmth warp warrant warrior warsaw wary wastebasket wasteland wastewater watercolor watercolorist waterfall waterproof
  watery watt wattle wavelength waver wavy wayward weaken weakly wealthy wean wearied wearily wedge wednesday wee
  weekend weekly weep weightlessness weir weird welcome weld welfare welter wend westerly westward whack wheeze
  whereabouts wherefore whine whinny whir whirl whiskered whiskey whisky whisper whistle whiteface whiz wholesome wholly
  whoop whore why wicked wicker widen widow width wield wiggle wigmaker wildcat wildlife wildly willingness willow wince
  windowpane windshield windy wingman wink winless winner wipe wiry wisdom wise wisecrack witch wither withhold
  withstand witty wizard wobble woe woeful wonderfully wondrous wondrously woo woodenly woodgrain woodpecker woodwork
  woolen wordsworth workable workbench workman workout workshop worse worst worthless worthwhile wrack wraithlike
  wrangle wrath wreath wreck wrench wrestle wretch wriggle wring wrinkle wrist writ writhe wrongly wryly wyoming xylem
  yale yank yankee yardage yawn yearly yearn yell yelp yes yesterday yokel yokuts younger youngster yr zeal zigzag zinc
  zoo zoom
`;
